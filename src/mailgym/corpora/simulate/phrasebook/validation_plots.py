"""How the validation company writes about affairs whose facts are kept: appointments, money, goods and travel."""

from mailgym.corpora.simulate.phrasebook.book import pairs
from mailgym.corpora.simulate.phrasebook.storybook import Plot

BUSINESS = (
    Plot(
        kind="appointment",
        things=pairs(
            """
                cover sketch = the drawing for the front, blurb draft = the text on the back, paper grain = the feel of
                the sheets, first edition size = how many copies we make, proof marks = the corrections, permission form = being
                allowed to quote, spine width = how thick it gets, keyword register = the list of terms, audio rights =
                selling the spoken version, slush pile = the unread manuscripts
            """
        ),
        subjects=("On the {thing}", "{thing}?", "{partner} and the {thing}"),
        told={
            "announced": (
                "It would be good to sit together over the {thing}. Date to follow.",
                "{partner} asks for a talk over the {thing}, no date so far.",
            ),
            "set": (
                "How about {day}, {time}, {place}, to look at the {thing}? I have blocked it.",
                "{partner} comes to us for the {thing}: {day}, {time}, {place}.",
            ),
            "moved": (
                "Sorry, I must shift the {thing}. My next free moment is {day}, {time}.",
                "{partner} had to shift the {thing} from {old_day} to {day}, {time}.",
            ),
            "ahead": (
                "Would you let me have your comments on the {thing} {ahead} days before our talk?",
                "{partner} wishes to see our comments on the {thing} {ahead} days before the talk.",
            ),
            "cancelled": (
                "Let us drop the talk over the {thing}. I have what I need.",
                "{partner} has dropped the talk over the {thing}.",
            ),
        },
        asked={
            "day": (
                "What day have {partner} and I agreed on for {thing}?",
                "When do {partner} and I sit down over {thing}?",
            ),
            "time": ("At which hour are {partner} and I looking at {thing}?",),
            "place": ("In which room do {partner} and I look at {thing}?",),
            "still_on": ("Do {partner} and I still meet over {thing}?",),
            "notes_day": ("What is my deadline for sending {partner} comments on {thing}?",),
            "times_moved": ("How many times did {partner} and I reschedule over {thing}?",),
        },
    ),
    Plot(
        kind="bill",
        things=pairs(
            """
                linen boards = cloth for hardbacks, ribbon markers = bookmark bands, foil stamping = gold letters,
                dust jackets = loose wrappers, proof copies = early samples, storage racks = furniture for stock, gum tape = glue
                strips, slipcases = protective sleeves, coloured edges = painted sides
            """
        ),
        subjects=("Statement: {thing}", "{partner}, statement for {thing}"),
        told={
            "announced": (
                "Our statement for the {thing} is being drawn up.",
                "{partner} will send a statement for the {thing} after the holidays.",
            ),
            "raised": (
                "The statement for the {thing} closes at {amount}, with {due} as the last day to pay.",
                "{partner} asks {amount} for the {thing}, and wants it by {due}.",
            ),
            "disputed": (
                "I have refused the statement from {partner} for the {thing}: half of it was damaged.",
                "We have heard that you refuse our statement for the {thing} and will check it.",
            ),
            "corrected": (
                "After our check the {thing} come to {amount}. We are sorry about the {old_amount}.",
                "{partner} lowered the {thing} from {old_amount} to {amount}.",
            ),
            "part_paid": (
                "{paid} for the {thing} has come in from you; we await what is left.",
                "{partner} already has {paid} from us for the {thing}.",
            ),
            "settled": (
                "With your transfer of {pay_day} the {thing} are paid for.",
                "{partner} has had everything for the {thing} since {pay_day}.",
            ),
        },
        asked={
            "amount": ("What sum does {partner} charge us for {thing}?", "How expensive was {thing} at {partner}?"),
            "due": ("What is the last day to pay {partner} for {thing}?",),
            "is_paid": ("Has {partner} been paid for {thing}?",),
            "rest": ("How much money does {partner} still get from us for {thing}?",),
            "pay_day": ("On what day did our money for {thing} reach {partner}?",),
        },
    ),
    Plot(
        kind="trip",
        things=pairs(
            """
                book fair = the exhibition of publishers, poetry night = an evening of verse, library congress = the
                librarians' assembly, paper mill tour = seeing how sheets are made, translators' retreat = the week for
                those who put texts into other languages, signing tour = autographs, rights market = trading licences
            """
        ),
        subjects=("{partner}: {thing}", "Travel: {partner}, {thing}"),
        told={
            "announced": (
                "I shall see to your seat to {partner} for the {thing} next.",
                "You have been named for the {thing} in {partner}. Tickets follow.",
            ),
            "booked": (
                "Your train to {partner} for the {thing} goes on {day}, {time}; your bed is in {place}.",
                "To {partner}, {thing}: {day}, {time}, and nights at {place}.",
            ),
            "changed": (
                "The timetable to {partner} has changed: you go to the {thing} on {day}, {time}.",
                "For the {thing} in {partner} you are now on the train of {day}, {time}, and not on that of {old_day}.",
            ),
            "ahead": (
                "Be at the platform {ahead} hours before your train to {partner} goes, the {thing} people collect bags there.",
            ),
            "cancelled": ("The {thing} in {partner} has been struck; your tickets are handed back.",),
        },
        asked={
            "day": ("What day do I leave for {partner} and {thing}?", "When am I off to {partner} for {thing}?"),
            "time": ("At what time does my train to {partner} for {thing} go?",),
            "place": ("Where am I sleeping in {partner} when I am there for {thing}?",),
            "still_on": ("Does my journey to {partner} for {thing} still take place?",),
            "pickup": ("By what time must I stand on the platform for {partner} and {thing}?",),
        },
    ),
    Plot(
        kind="order",
        things=pairs(
            """
                tote bags = cloth carriers, blank journals = empty notebooks, display stands = racks for shops, gift
                boxes = cartons for presents, enamel pins = small badges, wall maps = charts to hang, brass bookends =
                heavy shelf stops, reading lights = clip-on lamps, wax seals = letter stamps
            """
        ),
        subjects=("{thing}, {partner}", "Purchase of {thing}"),
        told={
            "announced": (
                "Do you still want {thing}? We have new ones.",
                "I am asking {partner} about {thing}.",
            ),
            "placed": (
                "Your {count} {thing} are in our book, and we bring them on {day}.",
                "{partner} sends us {count} {thing} on {day}.",
            ),
            "priced": ("One of our {thing} is {unit}.", "{thing} from {partner} are {unit} each."),
            "recounted": (
                "We have changed your {old_count} {thing} into {count}.",
                "I raised or cut it, depending on how you see it: {count} {thing} from {partner}, was {old_count}.",
            ),
            "delayed": (
                "We cannot bring the {thing} before {day}.",
                "{partner} keeps us waiting for the {thing} until {day}.",
            ),
            "arrived": (
                "All {thing} that {partner} owed us are on the shelf.",
                "The {thing} are in your house since this morning, says our driver.",
            ),
        },
        asked={
            "count": ("How many {thing} does {partner} send us?",),
            "day": ("What day does {partner} bring {thing}?", "When can we expect {thing} from {partner}?"),
            "total": ("What is the whole price of our {thing} at {partner}?",),
            "has_arrived": ("Are the {thing} from {partner} here?",),
            "times_delayed": ("How many times did {partner} make us wait longer for {thing}?",),
        },
    ),
    Plot(
        kind="offer",
        things=pairs(
            """
                large print edition = big letters for old eyes, serial excerpts = chapters in parts, school licence =
                letting pupils use it, cinema rights = a picture made of it, map reprints = charts once more, gift bundle
                = several in a box, braille edition = raised dots for the blind
            """
        ),
        subjects=("{thing} / {partner}", "About the {thing}"),
        told={
            "announced": (
                "Could you tell us what the {thing} would cost?",
                "{partner} is curious about the {thing}; no figures were named.",
            ),
            "offered": ("{partner} has our figure for the {thing}: {amount} a year, good until {valid}.",),
            "countered": (
                "For the {thing} we had thought of {bid} a year.",
                "{partner} thinks that the {thing} is worth {bid} a year.",
            ),
            "agreed": (
                "Agreed: the {thing} at {amount} a year. On your side {signer} should sign.",
                "{partner} gets the {thing} at {amount} a year, with {signer} signing.",
            ),
            "refused": (
                "We do not want the {thing} any more.",
                "{partner} does not want the {thing}.",
            ),
        },
        asked={
            "amount": ("What does {partner} pay us a year for {thing}?",),
            "valid": ("How long can {partner} accept our figure for {thing}?",),
            "signer": ("Who is to sign for {thing} with {partner}?",),
            "is_agreed": ("Does {partner} take {thing}?",),
            "margin": ("How much less than our first figure did {partner} name for {thing}?",),
        },
    ),
)
