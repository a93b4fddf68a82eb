"""How the test company writes about its matters, and how its people ask about them."""

from mailgym.corpora.simulate.phrasebook.book import Script, pairs

SCRIPTS = (
    Script(
        kind="invoice",
        groups=("vendor",),
        details=pairs(
            """
                lenses = glass parts, gloves = hand protection, argon = the gas, tape = sticky rolls,
                guards = the watchmen, crates = shipping containers, solvent = cleaning liquid, rental
                van = the hired car
            """
        ),
        subjects=("Statement {number}, {topic}", "{topic} charges for {detail}", "Amount due to {topic}"),
        stages=(
            (
                "{topic} charges us {amount} for {detail}, statement {number}. Terms: net {count} days, so pay on {day}.",
                "Statement {number} is in. It covers {detail} and comes to {amount}. {person} confirmed the quantities.",
            ),
            (
                "Statement {number} is wrong. We returned part of the {detail}; {topic} must deduct {amount}.",
                "I put {topic} on hold. {person} never ordered this much {detail}.",
            ),
            (
                "Money is on its way: {amount} for {detail}, value date {day}.",
                "Settled in full on {old_day}, {amount}. {topic} has confirmed to {person}.",
            ),
        ),
        replies=(
            "Which account should carry this? {person} says research.",
            "Go ahead and release it before {day}.",
            "I have no receipt for {number}. Did it reach you?",
        ),
        questions=(
            "Which message[ from {who}] mentions the {topic} invoice[ for {detail}][ {when}]?",
            "What was it that {who} said on paying {topic}[ {when}][, for {detail}]?",
        ),
    ),
    Script(
        kind="contract",
        groups=("customer", "vendor"),
        details=pairs(
            """
                royalties = a share of the profit, service hours = when help is there, deposit = paying
                in advance, insurance = cover for accidents, confidentiality = keeping secrets, volume =
                how much they take, currency = which money, delivery = how it gets there
            """
        ),
        subjects=("Terms for {topic}", "{topic} terms: {detail}", "Offer {number} to {topic}"),
        stages=(
            (
                "These are the terms for {topic}: {amount} a year, {detail} as discussed, open until {day}.",
                "I sent offer {number} to {topic}. They will fight over {detail}. {person} has the fallback.",
            ),
            (
                "{topic} struck out the paragraph on {detail} and wants {amount} instead.",
                "Second round: {detail} is still open. {person} sees {topic} on {day}.",
            ),
            (
                "We have a yes from {topic}, {amount}, {detail} included. Start {day}.",
                "{person} closed it on {old_day}. The paragraph on {detail} is ours word for word.",
            ),
        ),
        replies=(
            "That is below our floor of {amount}.",
            "Compliance must read page {count} again.",
            "Tell them {day} is final.",
        ),
        questions=(
            "Which message[ by {who}] dealt with the {topic} contract[ and {detail}][ {when}]?",
            "What was {who} saying on our contract with {topic}[ {when}][, in particular {detail}]?",
        ),
    ),
    Script(
        kind="meeting",
        groups=("project", "customer"),
        details=pairs(
            """
                specification = what it must do, safety = nobody gets hurt, suppliers = who delivers,
                yield = how many are good, timeline = what comes when, complaints = unhappy users, demo
                = showing it, scope = what is in and out
            """
        ),
        subjects=("{topic} catch-up", "{topic} session on {detail}", "Calendar: {topic}"),
        stages=(
            (
                "Catch-up on {topic}: {day}, {time}, upstairs. We talk {detail}. {person} brings data.",
                "Could everybody keep {day} at {time} free for {topic}? Main item is {detail}.",
            ),
            (
                "Shifted: not {old_day} but {day}, {time}. {topic} and {detail} stay on the list.",
                "{person} can't do {old_day}. Let us say {day} at {time} for {detail} instead.",
            ),
            (
                "Called off. We skip {topic} on {day} and handle {detail} in writing.",
                "There will be no session, {person} has sorted {detail} alone.",
            ),
        ),
        replies=(
            "I'm in. Can we start at {time}?",
            "Put me down as a maybe, {person} knows my view.",
            "Video only for me, I'm at the other plant on {day}.",
        ),
        questions=(
            "Which message[ from {who}] set up the {topic} meeting[ on {detail}][ {when}]?",
            "What time did {who} propose for meeting over {topic}[ and {detail}]?[ The note came {when}.]",
        ),
    ),
    Script(
        kind="status",
        groups=("project",),
        details=pairs(
            """
                assembly = putting it together, drawings = the plans, firmware = built-in software,
                tooling = the equipment, approval = the green light, tests = checking it, parts = the
                pieces, manual = the user guide
            """
        ),
        subjects=("{topic} roundup", "Roundup {number}: {topic}", "{topic}: where we stand on {detail}"),
        stages=(
            (
                "{topic} roundup. {detail}: {count} of 40 done. Burn so far {amount}. Gate on {day}.",
                "Where {topic} stands: {detail} is the bottleneck, {person} works on it until {day}.",
            ),
            (
                "Bad news for {topic}: {detail} slipped from {old_day} to {day}.",
                "{detail} has to be redone. That is {amount} more. {person} will explain.",
            ),
            (
                "{topic} passed the gate. {detail} is complete, {count} small remarks.",
                "{person} released {detail} on {old_day}. We are on plan again.",
            ),
        ),
        replies=(
            "Who pays the {amount}?",
            "Thanks. Let us not tell the customer before {day}.",
            "I can lend you {person} for {count} days.",
        ),
        questions=(
            "What update did {who} give on {topic}[ and {detail}][ {when}]?",
            "Which message[ by {who}] has the update of {topic}[ with {detail}][ {when}]?",
        ),
    ),
    Script(
        kind="travel",
        groups=("city",),
        details=pairs(
            """
                train = going by rail, apartment = a flat to stay in, passport = identity papers, dinner
                = the evening meal, badge = the entry card, car = something to drive, talk = speaking on
                stage, booth = our stand
            """
        ),
        subjects=("Itinerary {topic}", "{topic} itinerary {number}", "{topic}: {detail}"),
        stages=(
            (
                "Itinerary for {topic} attached. You leave {day} at {time}. The {detail} costs {amount}.",
                "{topic} is arranged for {day}: {detail} reserved under {number}. {person} travels with you.",
            ),
            (
                "New itinerary: {day} instead of {old_day}, {time}. I kept the {detail}.",
                "{topic} again: the {detail} fell through. {person} found another for {amount}.",
            ),
            (
                "I called {topic} off and got {amount} back for the {detail}.",
                "All done with {topic}. Hand in the slip for the {detail} by {day}.",
            ),
        ),
        replies=(
            "Could I return a day later, after {day}?",
            "{amount} is over the limit, ask {person}.",
            "Great, window side please.",
        ),
        questions=(
            "Which message[ from {who}] covers the journey to {topic}[ and {detail}][ {when}]?",
            "What was arranged by {who} for visiting {topic}[ {when}][, say {detail}]?",
        ),
    ),
    Script(
        kind="incident",
        groups=("system",),
        details=pairs(
            """
                attachments = enclosed files, sync = keeping both sides equal, licence = the right to
                use, memory = storage inside, queue = what is waiting, search = finding things, cookies
                = small browser data, upgrade = the newer version
            """
        ),
        subjects=("Fault on {topic}", "{topic} fault {number}", "{topic}: {detail} not working"),
        stages=(
            (
                "Fault {number}: {topic} has stopped, {detail} gives errors since {time}.",
                "{count} people report that {detail} on {topic} hangs. {person} has a look.",
            ),
            (
                "{topic} runs on the spare machine. {detail} comes back on {day}.",
                "{person} blames {detail}. It changed on {old_day} and nobody knew.",
            ),
            (
                "{topic} is healthy. {detail} was the cause, fault {number} is off the list.",
                "Fixed at {time}. We lost {count} entries; {person} types in {detail} again.",
            ),
        ),
        replies=(
            "The plant waits. How long?",
            "Works again on my side since {time}.",
            "{person} should get a bonus for this.",
        ),
        questions=(
            "What was the explanation of {who} for the {topic} problem[ with {detail}][ {when}]?",
            "Which message[ from {who}] speaks of problems on {topic}[, namely {detail}][ {when}]?",
        ),
    ),
    Script(
        kind="hiring",
        groups=("opening",),
        details=pairs(
            """
                bonus = extra pay, portfolio = samples of work, trial day = a day to try, permit = being
                allowed to work, part time = fewer hours, certificates = proof of training, shift =
                night or day
            """
        ),
        subjects=("{topic}: shortlist", "Vacancy {topic}", "Vacancy {topic} / {detail}"),
        stages=(
            (
                "Shortlist for {topic}: {count} names. The best one asks {amount}; {detail} to be clarified by {day}.",
                "{person} and I met somebody for {topic}. Fits, apart from {detail}. Could you talk to him on {day}?",
            ),
            (
                "He wants to think until {day}. {detail} seems to matter most.",
                "{person} raised the package to {amount}, {detail} on top.",
            ),
            (
                "{topic} is filled as of {day}. {detail} is in the letter.",
                "The shortlist is empty, they all said no because of {detail}.",
            ),
        ),
        replies=(
            "I'd take her. {person} would too.",
            "No more than {amount}.",
            "Shall we see one more on {day}?",
        ),
        questions=(
            "Which message[ from {who}] was on hiring a {topic}[ and {detail}][ {when}]?",
            "What opinion did {who} have on a new {topic}[ {when}][, considering {detail}]?",
        ),
    ),
    Script(
        kind="social",
        groups=("occasion",),
        details=pairs(
            """
                cake = something sweet, costumes = dressing up, tickets = getting in, playlist = the
                songs, speech = a few words, taxi = the way home, grill = the fire, drinks = the bar
            """
        ),
        subjects=("{topic}!", "{topic}: news on the {detail}", "Join us: {topic}"),
        stages=(
            (
                "{topic}! {day}, {time}. We are {count} so far. Who takes care of the {detail}?",
                "Save {day} for {topic}. {person} looks after the {detail}, {amount} per head.",
            ),
            (
                "{topic} is now on {day}, same hour. The {detail} is no trouble.",
                "They raised the price of the {detail} to {amount}. {person} tries elsewhere.",
            ),
            (
                "Thanks for coming to {topic}. Please pay {amount} for the {detail} to {person}.",
                "Sadly no {topic} this year. I give the {detail} back.",
            ),
        ),
        replies=(
            "Yes! May I bring a friend?",
            "I'm away until {day}. Have fun.",
            "{person} and I share a cab.",
        ),
        questions=(
            "What plans did {who} have for the {topic} celebration[ and {detail}][ {when}]?",
            "Which message[ from {who}] invites people to {topic}[, with {detail}][ {when}]?",
        ),
    ),
    Script(
        kind="office",
        groups=("office",),
        details=pairs(
            """
                filter = the sieve, lock = the bolt, contract number = which reference, blades = the
                knives, paint = the coat, sensor = what measures, handle = the grip
            """
        ),
        subjects=("{topic} needs attention", "House services: {topic}", "{topic} / {detail}"),
        stages=(
            (
                "House services here. The {topic} is out of order, the {detail} has to be replaced on {day}.",
                "Somebody complained about the {topic}. New {detail} would be {amount}. OK, {person}?",
            ),
            (
                "The man for the {topic} comes on {day} and not {old_day}. The {detail} is on back order.",
                "It is not the {detail}. {person} thinks the whole {topic} has to go, {amount}.",
            ),
            (
                "{topic} back in use since {time}. The old {detail} is in my office.",
                "The {topic} has a new {detail} at last. {person} tested it {count} times.",
            ),
        ),
        replies=(
            "About time!",
            "Please not on {day}, we have the auditors.",
            "Take the {amount} from the house budget.",
        ),
        questions=(
            "Which message[ from {who}] deals with fixing the {topic}[ and {detail}][ {when}]?",
            "What was {who} complaining of with the {topic}[ {when}][, perhaps {detail}]?",
        ),
    ),
    Script(
        kind="review",
        groups=("project", "customer"),
        details=pairs(
            """
                photos = the pictures, table = rows and columns, title = the name of it, footnotes = the
                small print, index = where to look, abstract = the first lines, chart = the graph
            """
        ),
        subjects=("{topic} manuscript", "{topic} manuscript: {detail}", "Proofs for {topic}"),
        stages=(
            (
                "The {topic} manuscript is with you. I need your opinion on the {detail} by {day}, {count} pages.",
                "{person} wrote a first manuscript for {topic}. The {detail} looks odd to me.",
            ),
            (
                "I crossed out the {detail}; {amount} cannot be right. See page {count}.",
                "Third proof for {topic}: {person} changed the {detail} once more.",
            ),
            (
                "The {topic} manuscript went to print on {old_day}. The {detail} is fine now.",
                "Released. {person} liked the {detail}; {count} corrections in all.",
            ),
        ),
        replies=(
            "I stopped at page {count}. The rest is good.",
            "Ask {person}, I'm no expert.",
            "Is {amount} from the audited books?",
        ),
        questions=(
            "What remarks did {who} make on the {topic} brochure[ and {detail}][ {when}]?",
            "Which message[ from {who}] returned corrections of the {topic} brochure[, on {detail}][ {when}]?",
        ),
    ),
)
