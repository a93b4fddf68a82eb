"""How the test company writes about affairs whose facts are kept: appointments, money, goods and travel."""

from mailgym.corpora.simulate.phrasebook.book import pairs
from mailgym.corpora.simulate.phrasebook.storybook import Plot

APPOINTMENT = Plot(
    kind="appointment",
    things=pairs(
        """
            lens coating = the layer on the glass, vibration data = the shaking numbers, patent claim = protecting the
            idea, grant proposal = asking for research money, wafer supply = getting silicon discs, dust counts =
            particles in the air, beam splitter = dividing the light, warranty terms = what we repair for free, export
            licence = permission to sell abroad, solder recipe = how to join the parts, packaging foam = the soft
            filling, noise limits = how loud it may be, firmware plan = the built-in software, colour chart = the shades
        """
    ),
    subjects=("{thing} - time to talk", "Re the {thing}", "{partner} on the {thing}", "Invitation: {thing}"),
    told={
        "announced": (
            "Let's find a moment for the {thing} soon, I still need to check my schedule.",
            "{partner} would like to discuss the {thing} with us; the when and where is to be decided.",
        ),
        "set": (
            "I'm sending you an invitation for the {thing}: {day}, {time}, {place}.",
            "{partner} accepted {day} at {time} for the {thing}. {place} is ours.",
            "Please keep {day} free. At {time} we discuss the {thing} in {place}.",
        ),
        "moved": (
            "My flight got changed, so I'd propose {day} at {time} for the {thing}, rather than {old_day}.",
            "We have a new slot with {partner} for the {thing}: {day}, {time}.",
            "{old_day} is gone for the {thing}, I'm afraid. {day}, {time}, is what I can do.",
        ),
        "ahead": (
            "Please upload your slides on the {thing} {ahead} days before we discuss it.",
            "{partner} expects our slides on the {thing} {ahead} days before the discussion.",
        ),
        "cancelled": (
            "We can skip the discussion of the {thing}. It was decided higher up.",
            "{partner} doesn't see the point of discussing the {thing} any more, so it is deleted.",
        ),
    },
    asked={
        "day": (
            "Which date do I have with {partner} for {thing}?",
            "When exactly are we discussing {thing} with {partner}?",
        ),
        "time": (
            "What time is my session with {partner} about {thing}?",
            "When during the day do {partner} and I go over {thing}?",
        ),
        "place": ("Which room do we use with {partner} for {thing}?", "Where will {partner} and I go over {thing}?"),
        "still_on": (
            "Is my session with {partner} over {thing} still planned?",
            "Does {partner} still want to see me on {thing}?",
        ),
        "notes_day": ("Until what date can I upload my slides on {thing} for {partner}?",),
        "times_moved": ("How many times has my session with {partner} on {thing} been rescheduled?",),
    },
)

BILL = Plot(
    kind="bill",
    things=pairs(
        """
            argon bottles = shielding gas, glass blanks = raw discs, mirror mounts = holders for reflectors, sapphire
            rods = hard crystal bars, cleanroom suits = dust-free clothing, torque drivers = precise screw tools, etch
            bath = the acid treatment, crane rental = borrowing the lifting machine, roof repair = mending the top of
            the building, canteen chairs = seating for lunch, diamond paste = polishing cream, flight cases = padded
            trunks
        """
    ),
    subjects=("Payment for {thing}", "{partner} ({thing})", "Re: your payment, {thing}"),
    told={
        "announced": (
            "You'll receive our request for payment for the {thing} next.",
            "{partner} hasn't sent figures for the {thing} yet.",
        ),
        "raised": (
            "We kindly request {amount} for the {thing}, no later than {due}.",
            "{partner} requests {amount} for the {thing}. Last day to pay is {due}.",
            "The {thing} from {partner} come to {amount}, and {due} is when they want it.",
        ),
        "disputed": (
            "I stopped the payment to {partner} for the {thing}, the quality was off.",
            "We learned that you stopped the payment for the {thing}. Our engineer will call.",
        ),
        "corrected": (
            "With the rebate that you asked for, the {thing} come to {amount}. Ignore {old_amount}.",
            "{partner} rewrote the papers for the {thing}: {amount}.",
        ),
        "part_paid": (
            "{partner} confirmed {paid} from us for the {thing}, as a start.",
            "Your first {paid} for the {thing} arrived in our bank.",
        ),
        "settled": (
            "Everything you owed for the {thing} arrived in our bank on {pay_day}.",
            "Treasury sent {partner} all the money for the {thing} on {pay_day}.",
        ),
    },
    asked={
        "amount": (
            "What is {partner} asking for {thing}?",
            "How much is the {thing} invoice that {partner} sent?",
        ),
        "due": (
            "What's the payment deadline for {thing} with {partner}?",
            "Until when can we pay {partner} for {thing}?",
        ),
        "is_paid": ("Did we pay {partner} for {thing}?", "Has the money for {thing} gone to {partner}?"),
        "rest": (
            "What amount is still open with {partner} for {thing}?",
            "How much more does {partner} get for {thing}?",
        ),
        "pay_day": ("What day was {partner} paid for {thing}?",),
    },
)

TRIP = Plot(
    kind="trip",
    things=pairs(
        """
            optics symposium = the conference on light, user workshop = teaching those who bought it, site survey =
            measuring the ground, acceptance test = the customer's check, recruiting day = meeting students, trade
            mission = the delegation, calibration visit = adjusting the device, museum loan = lending the old
            telescope, supplier summit = meeting all who deliver to us, summer school = classes in the holidays
        """
    ),
    subjects=("Itinerary {partner} ({thing})", "{partner} trip, {thing}", "{thing}, {partner}"),
    told={
        "announced": (
            "Your request to attend the {thing} in {partner} is approved, booking to follow.",
            "I'm comparing fares to {partner} for the {thing}.",
        ),
        "booked": (
            "Itinerary for the {thing} in {partner}: take-off {day}, {time}; check-in at {place}.",
            "You fly out to {partner} on {day} at {time} for the {thing}. I reserved {place}.",
        ),
        "changed": (
            "Schedule change for {partner} ({thing}): take-off is {day}, {time}.",
            "Your plane to {partner} for the {thing} isn't leaving on {old_day}. It's {day} at {time}.",
        ),
        "ahead": (
            "The shuttle to the airport for {partner} and the {thing} comes {ahead} hours before take-off.",
            "I ordered you a shuttle {ahead} hours before take-off, for {partner} and the {thing}.",
        ),
        "cancelled": (
            "The organisers cancelled the {thing}, so there is no trip to {partner}.",
            "You aren't flying to {partner}: the {thing} was called away.",
        ),
    },
    asked={
        "day": ("What date is my flight to {partner} for {thing}?", "When do I leave for {thing} in {partner}?"),
        "time": (
            "At what time is take-off to {partner} for {thing}?",
            "When on that day does my plane to {partner} for {thing} leave?",
        ),
        "place": ("What hotel was reserved in {partner} for {thing}?",),
        "still_on": (
            "Is the flight to {partner} for {thing} still happening?",
            "Do I still have to go to {partner} for {thing}?",
        ),
        "pickup": ("What time does the shuttle come for {partner} and {thing}?",),
    },
)

ORDER = Plot(
    kind="order",
    things=pairs(
        """
            fibre patch cords = thin light cables, goggles = eye protectors, hex screws = six-sided fasteners, petri
            dishes = flat glass bowls, power bricks = charging blocks, tripods = three-legged stands, filter wheels =
            rotating colour discs, shock pads = bump absorbers, desiccant bags = drying sachets, spare bulbs =
            replacement lamps, lab stools = high seats, tweezers = tiny grippers
        """
    ),
    subjects=("{thing} order", "PO for {thing}", "{partner}: {thing}"),
    told={
        "announced": (
            "We'll want {thing} from {partner}, I just don't have numbers.",
            "Happy to supply {thing}. Let us hear how many.",
        ),
        "placed": (
            "Purchase order sent to {partner}: {count} {thing}, to be here on {day}.",
            "Thanks for the order over {count} {thing}. Expected at your dock: {day}.",
        ),
        "priced": (
            "A single one of the {thing} is {unit} on our list.",
            "{partner} lists the {thing} at {unit} a piece.",
        ),
        "recounted": (
            "Change to the purchase order at {partner}: {count} {thing}.",
            "We corrected {old_count} to {count} {thing} for you.",
        ),
        "delayed": (
            "Customs are holding the {thing}. Our new estimate is {day}.",
            "{partner} now estimates {day} for the {thing}, it was {old_day}.",
        ),
        "arrived": (
            "Receiving signed for the {thing} from {partner}.",
            "The carrier reports that you have the {thing}.",
        ),
    },
    asked={
        "count": ("What quantity of {thing} is on order with {partner}?", "How many {thing} will {partner} ship?"),
        "day": ("When will {thing} from {partner} get here?", "What's the expected date for {thing} from {partner}?"),
        "total": (
            "What's the total cost of {thing} from {partner}?",
            "How much are we spending on {thing} at {partner}?",
        ),
        "has_arrived": ("Did we receive {thing} from {partner}?", "Is the shipment of {thing} from {partner} in?"),
        "times_delayed": ("How many delays has {partner} announced for {thing}?",),
    },
)

OFFER = Plot(
    kind="offer",
    things=pairs(
        """
            loaner pool = spare units to borrow, on-site training = lessons at their place, extended support = help for
            longer, remote diagnosis = checking from afar, yearly overhaul = the big service, data hosting = keeping
            their files, custom optics = lenses made for them, priority repair = fixing it first, operator courses =
            schooling the users, disposal service = taking away the old ones
        """
    ),
    subjects=("Quote: {thing}", "{partner} / {thing}", "{thing} terms"),
    told={
        "announced": (
            "We are interested in the {thing}, please quote.",
            "{partner} has asked for a quote on the {thing}. I'm on it.",
        ),
        "offered": (
            "Our quote to {partner} for the {thing} went out: {amount} per quarter, valid through {valid}.",
            "I quoted {partner} {amount} per quarter for the {thing}, through {valid}.",
        ),
        "countered": (
            "We could live with {bid} per quarter for the {thing}.",
            "{partner} came back with {bid} per quarter for the {thing}.",
        ),
        "agreed": (
            "Good news: {partner} goes for the {thing} at {amount} per quarter. {signer} is to sign.",
            "We'll go for the {thing} at {amount} per quarter, signed by {signer} for you.",
        ),
        "refused": (
            "{partner} chose a competitor for the {thing}.",
            "We chose somebody else for the {thing}, sorry.",
        ),
    },
    asked={
        "amount": (
            "What does {partner} pay per quarter for {thing}?",
            "What's the final price with {partner} for {thing}?",
        ),
        "valid": ("When does our quote on {thing} to {partner} run out?",),
        "signer": ("Who's supposed to sign {thing} with {partner}?",),
        "is_agreed": ("Did we win {partner} for {thing}?", "Is {partner} buying {thing} from us?"),
        "margin": ("How much lower than our quote was the bid of {partner} for {thing}?",),
    },
)
