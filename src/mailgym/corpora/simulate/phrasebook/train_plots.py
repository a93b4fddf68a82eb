"""How the training company writes about affairs whose facts are kept: appointments, money, goods and travel."""

from mailgym.corpora.simulate.phrasebook.book import pairs
from mailgym.corpora.simulate.phrasebook.storybook import Plot

APPOINTMENT = Plot(
    kind="appointment",
    things=pairs(
        """
            tender = bidding for the job, gate layout = how trucks get in, tariff table = the price list, shift swap =
            trading working hours, fuel surcharge = the extra for diesel, claims backlog = the pile of complaints,
            depot lease = renting the yard, barcode change = the new labels, driver survey = asking the drivers,
            insurance cover = what we are insured for, peak season = the busy months, pallet pool = sharing wooden
            platforms, tail lifts = the loading platforms, empty runs = driving without load
        """
    ),
    subjects=("{thing}", "Call about the {thing}", "{thing}, a slot for us", "Talk: {thing} / {partner}"),
    told={
        "announced": (
            "We ought to talk about the {thing} some time. I will come back with a slot.",
            "I need half an hour of you for the {thing}, but cannot say yet when.",
            "{partner} wants to go through the {thing} with us and will name a slot later.",
        ),
        "set": (
            "Let us talk about the {thing} on {day}, {time}, in {place}.",
            "I have put the {thing} into both calendars: {day} at {time}. We sit in {place}.",
            "{partner} can do the {thing} on {day} at {time}; I took {place} for it.",
        ),
        "moved": (
            "Something came up. Can we do the {thing} on {day} at {time} instead? The place stays.",
            "The {thing} is off my calendar for {old_day}; I now have {day}, {time}.",
            "{partner} cannot make {old_day}, so the {thing} is now on {day} at {time}.",
        ),
        "ahead": (
            "For the {thing} I would like your notes {ahead} days before we meet.",
            "One request: send what you have on the {thing} {ahead} days ahead, so that it can be read.",
            "{partner} asks for our notes on the {thing} {ahead} days before the talk.",
        ),
        "cancelled": (
            "I have to call off the {thing} altogether. Nothing replaces it for now.",
            "No talk about the {thing} after all; it has sorted itself out.",
            "{partner} has called off the {thing}; please take it out of your calendar.",
        ),
    },
    asked={
        "day": (
            "When is my call with {partner} about {thing} now?",
            "Which day am I seeing {partner} on {thing}?",
            "What is the date of the appointment with {partner} over {thing}?",
        ),
        "time": (
            "At what time do I speak with {partner} about {thing}?",
            "What hour did we end up with for {partner} and {thing}?",
        ),
        "place": ("Where do I meet {partner} about {thing}?", "Which room is it with {partner} for {thing}?"),
        "still_on": (
            "Is the meeting with {partner} on {thing} still happening?",
            "Am I still seeing {partner} about {thing}?",
        ),
        "notes_day": (
            "By which day must my notes on {thing} be with {partner}?",
            "What is the last day to send {partner} my material on {thing}?",
        ),
        "times_moved": (
            "How many times have we shifted the appointment with {partner} about {thing}?",
            "How often was my date with {partner} on {thing} put off?",
        ),
    },
)

BILL = Plot(
    kind="bill",
    things=pairs(
        """
            tarpaulins = truck covers, lashing straps = belts to tie cargo, floor scales = weighing plates, wash bay =
            truck cleaning, shrink foil = plastic wrapping, dock seals = door cushions, night guard = the watchman,
            snow service = winter clearing, hand scanners = code readers, reefer repair = fixing the cold units,
            uniforms = work clothes, waste skips = rubbish containers, axle grease = lubricant, spill kits = leak sets
        """
    ),
    subjects=("{thing}", "{partner}: {thing}", "Account for {thing}", "{thing} - what we owe"),
    told={
        "announced": (
            "You will get our account for the {thing} shortly.",
            "{partner} has finished the {thing} and says that the paperwork follows.",
            "Everything for the {thing} is done; figures come separately.",
        ),
        "raised": (
            "For the {thing} we charge {amount}, payable by {due}.",
            "Our account for the {thing} comes to {amount}. Please settle it until {due}.",
            "{partner} charges {amount} for the {thing}, to be settled by {due}.",
        ),
        "disputed": (
            "I am holding the {thing} back: what {partner} charges is not what was agreed.",
            "{partner} billed hours for the {thing} that nobody worked. I told them that we will not transfer a cent yet.",
            "I understand that you object to our figures for the {thing}. We are looking into it.",
        ),
        "corrected": (
            "You were right about the {thing}. The sum is {amount}, not {old_amount}.",
            "{partner} gave in on the {thing}: we owe {amount} instead of {old_amount}.",
            "New figure for the {thing}: {amount}. Please tear up the one over {old_amount}.",
        ),
        "part_paid": (
            "We received {paid} for the {thing} as a first instalment. Thank you.",
            "A first transfer of {paid} to {partner} went out for the {thing}.",
            "{paid} of the money for the {thing} has reached {partner}; the rest is open.",
        ),
        "settled": (
            "Your money for the {thing} came in on {pay_day}; the account is closed.",
            "Take the {thing} off the list: {partner} got the full sum on {pay_day}.",
            "On {pay_day} we transferred all that {partner} wanted for the {thing}.",
        ),
    },
    asked={
        "amount": (
            "How much does {partner} want for {thing}?",
            "What do we have to pay {partner} for {thing}?",
            "What is the bill of {partner} for {thing} now?",
        ),
        "due": ("By when must we pay {partner} for {thing}?", "When is the bill from {partner} for {thing} due?"),
        "is_paid": ("Have we paid {partner} for {thing}?", "Is the bill from {partner} for {thing} paid in full?"),
        "rest": (
            "How much do we still owe {partner} for {thing}?",
            "What is left to pay to {partner} for {thing} after the first part?",
        ),
        "pay_day": ("When did we pay {partner} for {thing}?", "On which date did {partner} get paid for {thing}?"),
    },
)

TRIP = Plot(
    kind="trip",
    things=pairs(
        """
            trade fair = the exhibition, port visit = seeing the harbour, carrier summit = the hauliers' gathering,
            tacho course = the lesson on driving recorders, rail terminal tour = looking at the train yard, warehouse
            opening = the new hall's party, customs briefing = the border paperwork day, works council = the staff
            representatives, crane trial = testing the lifting gear, union talks = negotiating with the drivers,
            software bootcamp = the programming week, ferry contract = the boat agreement
        """
    ),
    subjects=("{partner}, {thing}", "{thing} in {partner}", "Your way to {partner}: {thing}"),
    told={
        "announced": (
            "You are down for the {thing} in {partner}; I am looking for seats.",
            "I will put together your way to {partner} for the {thing} as soon as fares are out.",
        ),
        "booked": (
            "Done: you leave for the {thing} in {partner} on {day} at {time} and sleep at {place}.",
            "{partner} is booked. Departure {day}, {time}, then {place} for the nights of the {thing}.",
            "For the {thing}: {place} in {partner}, and a seat that leaves on {day} at {time}.",
        ),
        "changed": (
            "The airline changed your seat to {partner}: for the {thing} you now leave on {day} at {time}.",
            "New departure for the {thing} in {partner}: {day}, {time}. Forget {old_day}.",
            "I had to rebook {partner}. Not {old_day} but {day}, {time}, is when you leave for the {thing}.",
        ),
        "ahead": (
            "A car for the {thing} in {partner} is ordered; it stands at your door {ahead} hours before departure.",
            "Taxi to the plane ({partner}, {thing}): {ahead} hours ahead of departure, at your house.",
        ),
        "cancelled": (
            "The {thing} in {partner} will not take place; I gave the seats back.",
            "No {partner} for you: the {thing} is called off and the tickets are refunded.",
        ),
    },
    asked={
        "day": (
            "When do I fly to {partner} for {thing}?",
            "On what date do I travel to {partner} for {thing}?",
            "Which day is my trip to {partner} for {thing}?",
        ),
        "time": (
            "What time does my flight to {partner} for {thing} go?",
            "At what hour do I set off to {partner} for {thing}?",
        ),
        "place": ("Which hotel am I in at {partner} for {thing}?", "Where do I stay in {partner} during {thing}?"),
        "still_on": ("Am I still going to {partner} for {thing}?", "Is my trip to {partner} for {thing} still on?"),
        "pickup": (
            "At what time does the car pick me up for {partner} and {thing}?",
            "When on the clock is my taxi for the trip to {partner} for {thing}?",
        ),
    },
)

ORDER = Plot(
    kind="order",
    things=pairs(
        """
            roll cages = wheeled grid trolleys, euro crates = stackable plastic bins, bollards = posts against ramming,
            wheel chocks = stoppers for tyres, hi-vis vests = yellow safety wear, dunnage bags = air cushions, cable
            drums = big spools, corner guards = edge protection, ice packs = cooling pads, thermal covers = heat hoods,
            seal bolts = container locks, air hoses = pressure tubes, floor mats = rubber carpets, light bars = lamp
            strips
        """
    ),
    subjects=("{thing}", "{thing} from {partner}", "Order: {thing}"),
    told={
        "announced": (
            "We are about to order {thing} from {partner}; numbers follow.",
            "Thank you for your interest in our {thing}. Tell us when you know what you need.",
        ),
        "placed": (
            "I ordered {count} {thing} from {partner}. They come on {day}.",
            "We have noted {count} {thing} for you, with delivery on {day}.",
            "The order with {partner} is out: {count} {thing}, arriving {day}.",
        ),
        "priced": (
            "Our {thing} cost {unit} apiece, whatever the quantity.",
            "{partner} takes {unit} for each of the {thing}.",
            "We pay {partner} {unit} per piece for the {thing}.",
        ),
        "recounted": (
            "Please make that {count} {thing} instead of {old_count}.",
            "I changed the order with {partner} to {count} {thing}; {old_count} was a guess.",
            "As you wished, our paper now says {count} {thing}, no longer {old_count}.",
        ),
        "delayed": (
            "The {thing} are stuck at our plant; you get them on {day}, not on {old_day}.",
            "{partner} is late with the {thing}. New day: {day}.",
            "Bad news from {partner}: the {thing} come on {day}.",
        ),
        "arrived": (
            "The {thing} from {partner} stand in the yard, all complete.",
            "Our driver has unloaded the {thing} at your gate and has a signature for it.",
        ),
    },
    asked={
        "count": (
            "How many {thing} are we getting from {partner}?",
            "What number of {thing} did we settle on with {partner}?",
        ),
        "day": (
            "When do the {thing} from {partner} arrive?",
            "On which day does {partner} deliver {thing}?",
            "What is the delivery date of {partner} for {thing}?",
        ),
        "total": (
            "What do the {thing} from {partner} cost us altogether?",
            "How much is the whole order of {thing} at {partner}?",
        ),
        "has_arrived": ("Have the {thing} from {partner} arrived?", "Did {partner} deliver {thing} already?"),
        "times_delayed": (
            "How many times has {partner} put back the delivery of {thing}?",
            "How often were the {thing} from {partner} late?",
        ),
    },
)

OFFER = Plot(
    kind="offer",
    things=pairs(
        """
            weekend service = driving on Saturdays, bonded storage = keeping untaxed goods, milk run = the daily round,
            parcel sorting = dividing packages, cross-docking = reloading without storing, returns desk = taking goods
            back, city hub = a downtown depot, track and trace = seeing where goods are, chilled transport = cooled
            trucks, kitting = packing sets, night delivery = bringing it after dark, yard shuttle = moving trailers
        """
    ),
    subjects=("{thing}", "{partner}: {thing}", "Price for the {thing}"),
    told={
        "announced": (
            "We might need {thing} from you; would you like to make us a price?",
            "{partner} asked whether we do {thing}. I will work out something.",
        ),
        "offered": (
            "I sent {partner} a price of {amount} a month for the {thing}; it holds until {valid}.",
            "For the {thing} we asked {amount} a month from {partner}. They have until {valid} to say yes.",
        ),
        "countered": (
            "{partner} would rather give {bid} a month for the {thing}.",
            "Your price for the {thing} is above our budget. {bid} a month is what we can give.",
        ),
        "agreed": (
            "It is a deal: {partner} takes the {thing} for {amount} a month. {signer} signs for us.",
            "We shake hands on {amount} a month for the {thing}. Let {signer} sign on your side.",
            "The {thing} for {partner} is settled at {amount} a month, and {signer} puts the name under it.",
        ),
        "refused": (
            "{partner} said no to the {thing}; they stay where they are.",
            "We have decided against your {thing}. Thank you for the effort.",
        ),
    },
    asked={
        "amount": (
            "What monthly price did we come to with {partner} for {thing}?",
            "How much a month is it for {partner} and {thing} now?",
        ),
        "valid": (
            "Until when does our price for {partner} on {thing} hold?",
            "What is the last day of our quote to {partner} for {thing}?",
        ),
        "signer": (
            "Who signs the deal with {partner} on {thing}?",
            "Whose signature goes under {thing} for {partner}?",
        ),
        "is_agreed": ("Did {partner} accept {thing}?", "Do we have a deal with {partner} on {thing}?"),
        "margin": (
            "By how much did {partner} want to push our first price for {thing} down?",
            "How far below our price was the counter-offer of {partner} for {thing}?",
        ),
    },
)
