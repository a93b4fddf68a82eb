"""How the training company writes about its matters, and how its people ask about them."""

from mailgym.corpora.simulate.phrasebook.book import Script, pairs

SCRIPTS = (
    Script(
        kind="invoice",
        groups=("vendor",),
        details=pairs(
            """
                toner = printer ink, pallets = wooden loading frames, scaffolding = building frames,
                cleaning = the janitors, courier = parcel delivery, catering = food, forklift = lifting
                truck, packaging = boxes, signage = the signs, translation = foreign language work
            """
        ),
        subjects=("Invoice {number} {topic}", "{topic}: invoice {number} for {detail}", "{topic} invoice, {detail}"),
        stages=(
            (
                "Please find attached invoice {number} from {topic} for {detail}, {amount} in total. It is due on {day}.",
                "{topic} has invoiced us {amount} for the {detail}. Number {number}. Can you approve it before {day}?",
                "Here comes the invoice for {detail}. {amount}, payable by {day}. {person} has checked the delivery note.",
            ),
            (
                "We cannot accept {number} as it stands: the {detail} was {count} units short and {amount} is too much.",
                "I looked at what {topic} charged. The {detail} was quoted lower. I asked {person} to hold the payment.",
            ),
            (
                "Paid today: {amount} to {topic}, reference {number}. The {detail} is settled, please close the order.",
                "The transfer of {amount} went out on {old_day}. That settles {number}. {person} has the receipt.",
            ),
        ),
        replies=(
            "Thanks. I will match {number} against the purchase order and come back to you by {day}.",
            "Approved from my side, but {person} must sign anything above {amount}.",
            "Which cost centre do we book this on? Last time it went on the wrong one.",
            "Could you send me the {topic} delivery note as well? I need it for the file.",
        ),
        questions=(
            "What did {who} write about the {topic} bill[ for {detail}][ {when}]?",
            "Which mail[ from {who}] was about what we owe {topic}[ for {detail}][ {when}]?",
            "I need the note on the {topic} bill[ that {who} sent][ {when}], the one[ about {detail}] I have to show audit.",
            "Where is the {topic} bill for {detail}[ from {who}]?[ I remember it came {when}.]",
        ),
    ),
    Script(
        kind="contract",
        groups=("customer", "vendor"),
        details=pairs(
            """
                liability = who pays for damage, renewal = going on for another year, discount = the
                rebate, exclusivity = being the only partner, penalties = fines, warranty = the
                guarantee, indexation = yearly price rises, termination = getting out early, territory =
                the region
            """
        ),
        subjects=("{topic} agreement: {detail}", "Agreement with {topic}", "{topic}, clause on {detail}"),
        stages=(
            (
                "{topic} sent a new version of the agreement. The {detail} clause changed, they now ask for {amount}.",
                "Attached is the agreement for {topic}. Look at section {count}, {detail}, and tell me by {day} if we can live with it.",
                "I drafted the {detail} clause for {topic}. Ceiling {amount}. {person} wants to see it before it leaves.",
            ),
            (
                "They came back on {detail}: {amount} and not a cent less. I told {topic} we answer by {day}.",
                "Our counter-proposal on {detail} is out. {topic} has until {day}. {person} thinks they will take {amount}.",
            ),
            (
                "Signed. {topic} accepted our wording on {detail}; the agreement starts on {day}. Scan is attached.",
                "Done: both parties signed on {old_day}. {detail} stays as we wrote it. {person} files the original.",
            ),
        ),
        replies=(
            "I would not give in on this one. Let {person} talk to them first.",
            "Fine for me, {amount} is inside the mandate. Please go ahead.",
            "Legal needs until {day}. The wording on page {count} is still open.",
            "Did {topic} say why? Two months ago they were happy with it.",
        ),
        questions=(
            "What did {who} say about the {topic} deal[ and {detail}][ {when}]?",
            "Find the mail[ by {who}] on the deal with {topic}[ about {detail}][ {when}].",
            "Which message[ from {who}] talked about {detail} in the paperwork with {topic}[ {when}]?",
        ),
    ),
    Script(
        kind="meeting",
        groups=("project", "customer"),
        details=pairs(
            """
                budget = money, roadmap = the long plan, staffing = who works on it, risks = what could
                go wrong, training = teaching the users, pilot = the first try-out, migration = moving
                the data, pricing = what to charge, kickoff = getting started, retrospective = looking
                back
            """
        ),
        subjects=("{topic} sync: {detail}", "Meeting on {topic}", "{topic}, {detail} meeting"),
        stages=(
            (
                "Let us meet on {day} at {time} to go through the {topic} {detail}. {person} joins from the other office.",
                "I booked a room for {topic} on {day}, {time}. Agenda: {detail}, open points, next steps.",
                "Can you make {day} at {time}? We should settle {detail} for {topic} before {person} leaves.",
            ),
            (
                "I have to move our slot: {old_day} does not work for {person}. New time is {day} at {time}, same room.",
                "Change of plan, the {topic} {detail} session is now {day}, {time}. Sorry for the late notice.",
            ),
            (
                "I am cancelling {day}. {person} is ill and there is no point in doing {detail} without the numbers.",
                "No {topic} meeting on {day} after all. We take {detail} up again in {count} weeks.",
            ),
        ),
        replies=(
            "Works for me. I will bring the {count} slides I have.",
            "I can only stay until {time}. Could {person} take my part?",
            "Please add one point: the customer has asked twice and got no answer.",
            "I will dial in from the train on {day}, so expect noise.",
        ),
        questions=(
            "When did {who} want us to get together about {topic}[ and {detail}]?[ It was written {when}.]",
            "Which mail[ from {who}] fixed the appointment on {topic}[ about {detail}][ {when}]?",
            "What did {who} tell me about our {topic} call[ on {detail}][ {when}]?",
            "I am looking for the invitation[ by {who}] to talk about {detail} for {topic}[ {when}].",
        ),
    ),
    Script(
        kind="status",
        groups=("project",),
        details=pairs(
            """
                testing = trying it out, documentation = the manuals, interface = the screens,
                performance = how fast it is, procurement = buying the parts, rollout = handing it to
                users, permits = official approvals, prototype = the early model, backlog = the pile of
                open work
            """
        ),
        subjects=("{topic} weekly status", "Status {topic}: {detail}", "{topic} status report no. {number}"),
        stages=(
            (
                "Status of {topic} this week: {detail} is {count} days late, the rest is green. Next milestone {day}.",
                "{topic} in short. Done: {count} work packages. Open: {detail}. Spent so far: {amount}.",
                "Here is the weekly status. {detail} moved forward, {person} finished the first half of it. Milestone stays {day}.",
            ),
            (
                "Correction to my report: {detail} will not be ready on {old_day}. The new date for {topic} is {day}.",
                "We turned {topic} to amber. The cause is {detail}; {person} needs {count} more people.",
            ),
            (
                "{detail} is finished, {topic} is back to green. We closed {count} points and spent {amount}.",
                "Milestone reached on {old_day}. {person} accepted {detail} without remarks.",
            ),
        ),
        replies=(
            "Good. Please show the steering group only the amber points.",
            "I do not understand how {detail} can cost {amount}. Call me.",
            "Can {person} help out for {count} days? I can spare her.",
            "Noted. I will tell the customer before {day}.",
        ),
        questions=(
            "How was {topic} going[ with {detail}] according to {who}[ {when}]?",
            "Which mail[ from {who}] reported progress on {topic}[ and {detail}][ {when}]?",
            "What did {who} tell us about progress on {topic}[, mainly {detail}][ {when}]?",
        ),
    ),
    Script(
        kind="travel",
        groups=("city",),
        details=pairs(
            """
                hotel = the place to sleep, visa = the entry permit, airport = where we land, seat =
                where to sit, transfer = getting to town, luggage = the bags, conference = the big
                event, workshop = the hands-on day, fair = the exhibition
            """
        ),
        subjects=("Flight to {topic}", "{topic} booking: {detail}", "Booking {number}, {topic}"),
        stages=(
            (
                "Your flight to {topic} is booked: {day}, departure {time}. The {detail} is included, {amount} in all.",
                "I booked {topic} for you and {person}: out on {day} at {time}, booking code {number}. {detail} follows.",
                "{topic} is confirmed for {day}. About the {detail}: I paid {amount} with the company card.",
            ),
            (
                "The airline moved the {topic} flight from {old_day} to {day}, {time}. {detail} is adapted.",
                "Rebooked: you now fly on {day} at {time}. The {detail} cost {amount} more, {person} agreed.",
            ),
            (
                "I cancelled {topic}. The {detail} is refunded except {amount}.",
                "{topic} is off, {person} goes alone. Please send me your receipts for the {detail}.",
            ),
        ),
        replies=(
            "Perfect. Is there anything earlier than {time}?",
            "Please put it on the cost centre of {person}.",
            "I would rather take the train, if it saves {amount}.",
            "Who picks us up there? Last time we waited for an hour.",
        ),
        questions=(
            "What did {who} write about my trip to {topic}[ and {detail}][ {when}]?",
            "Where is the mail[ from {who}] on travelling to {topic}[, with {detail}][ {when}]?",
            "Which mail[ by {who}] about going to {topic} spoke of {detail}[ {when}]?",
        ),
    ),
    Script(
        kind="incident",
        groups=("system",),
        details=pairs(
            """
                login = signing in, backup = the safety copy, timeouts = waiting too long, certificate =
                the key that ran out, disk = storage space, duplicates = double entries, export =
                getting data out, latency = being slow, password = the secret word
            """
        ),
        subjects=("Outage: {topic}", "{topic} outage ({detail})", "Ticket {number}: {topic} {detail}"),
        stages=(
            (
                "{topic} is down since {time}. Looks like {detail}. {count} users called so far, ticket {number}.",
                "We have an outage on {topic}: {detail} fails for everybody. {person} is on it, next news at {time}.",
                "Ticket {number} opened: {detail} on {topic}. Workaround: restart and wait {count} minutes.",
            ),
            (
                "Still down. {person} found that {detail} was changed on {old_day}. We roll {topic} back at {time}.",
                "Half of the users are back. {detail} needs a fix from the supplier, expected on {day}.",
            ),
            (
                "{topic} is up again since {time}. Cause: {detail}. Ticket {number} is closed, report follows on {day}.",
                "Resolved. {detail} works, {count} records were repaired by hand. Thanks to {person}.",
            ),
        ),
        replies=(
            "How many customers noticed? I have to call the big ones.",
            "Please keep {person} informed every hour until it is solved.",
            "This is the third time. I want a proper analysis by {day}.",
            "My screen still shows an error, number {number}.",
        ),
        questions=(
            "What did {who} write when {topic} broke down[ {when}][, something with {detail}]?",
            "Which mail[ from {who}] was about the trouble with {topic}[ and {detail}][ {when}]?",
            "I want to read again what {who} found out about the {topic} breakdown[ and {detail}][ {when}].",
        ),
    ),
    Script(
        kind="hiring",
        groups=("opening",),
        details=pairs(
            """
                salary = what we pay, references = what old bosses say, interview = meeting in person,
                notice = when to start, relocation = moving house, assessment = the test, agency = the
                headhunter, probation = the trial months
            """
        ),
        subjects=("Candidate for {topic}", "{topic} position: {detail}", "{topic}: candidate no. {count}"),
        stages=(
            (
                "We have a strong candidate for the {topic} position. {detail}: {amount}. Can you see her on {day} at {time}?",
                "CV attached for {topic}. {person} liked it. Open point is {detail}, we should decide by {day}.",
                "{count} candidates left for {topic}. I would like to talk about {detail} before {day}.",
            ),
            (
                "The candidate asks for more on {detail}: {amount}. I said we answer on {day}.",
                "Second round for {topic} is on {day}, {time}. {person} covers {detail}, you cover the technical part.",
            ),
            (
                "Offer accepted. {topic} starts on {day}; {detail} is agreed at {amount}.",
                "We said no to the last one for {topic}. {detail} did not fit. {person} restarts the search.",
            ),
        ),
        replies=(
            "I liked the second one better. What does {person} think?",
            "{time} is fine, please reserve the small room.",
            "Not above {amount}, or we get trouble with the rest of the team.",
            "Let us be quick, they have another offer until {day}.",
        ),
        questions=(
            "What did {who} think about recruiting the {topic}[ and {detail}][ {when}]?",
            "Which mail[ from {who}] was about filling the {topic} job[, mentioning {detail}][ {when}]?",
            "Find what {who} sent me on applicants for {topic}[ {when}][, about {detail}].",
        ),
    ),
    Script(
        kind="social",
        groups=("occasion",),
        details=pairs(
            """
                menu = the dishes, vegetarian = meat free food, bill split = who pays, parking = leaving
                the car, gift = the present, band = the musicians, bus = getting there together, guests
                = who comes
            """
        ),
        subjects=("{topic}: lunch?", "{topic}", "{topic}, {detail}"),
        stages=(
            (
                "{topic} on {day} at {time}? I will reserve for {count}. Tell me about {detail} until the day before.",
                "We plan the {topic} for {day}. {detail} is with {person}. Costs about {amount} each.",
                "Table for {topic} is reserved, {day}, {time}. One question: {detail}.",
            ),
            (
                "{topic} moves to {day}, {time}, because half of you can't come on {old_day}. {detail} as before.",
                "The place called about {detail}. They can do {amount} a head. {person} said yes.",
            ),
            (
                "{topic} was lovely. Each of you owes me {amount} for {detail}.",
                "We drop the {topic} this time. {person} returns what you paid for {detail}.",
            ),
        ),
        replies=(
            "Count me in, plus one.",
            "Can't on {day}, sorry. Say hello to {person} from me.",
            "I could drive {count} people.",
            "Nothing with nuts for me, please.",
        ),
        questions=(
            "What did {who} plan for the {topic} meal[ and {detail}][ {when}]?",
            "Which mail[ from {who}] told us how {topic} would go[ with {detail}][ {when}]?",
            "Who said what on eating together at {topic}? I mean the one[ by {who}][ about {detail}][ {when}].",
        ),
    ),
    Script(
        kind="office",
        groups=("office",),
        details=pairs(
            """
                key = opening the door, lamp = the light, order form = the paper to buy things, size =
                how big, repair = mending it, colour = how it looks, spare parts = replacement pieces,
                inspection = the check
            """
        ),
        subjects=("Request: {topic}", "{topic} ({detail})", "Facilities, {topic}"),
        stages=(
            (
                "Your request about the {topic} is registered as {number}. For the {detail} we need your answer by {day}.",
                "The new {topic} arrives on {day}. {detail}: {person} decides. It costs {amount}.",
                "About the {topic}: somebody has to look at the {detail}. I can come on {day} at {time}.",
            ),
            (
                "The {topic} is delayed until {day}. The supplier has a problem with the {detail}.",
                "We need {amount} more for the {topic}, because of the {detail}. Does {person} agree?",
            ),
            (
                "The {topic} is done. {detail} was easy in the end. Please tell {person} if anything is missing.",
                "Request {number} is closed. {topic} installed on {old_day}, {detail} included.",
            ),
        ),
        replies=(
            "Good, finally. I will be there at {time}.",
            "Could it wait until {day}? We have visitors.",
            "Ask {person}, I have nothing against it.",
            "Too expensive. {amount} must be enough.",
        ),
        questions=(
            "What did {who} answer on the {topic}[ and {detail}][ {when}]?",
            "Which mail[ from {who}] was on getting the {topic} sorted[, with {detail}][ {when}]?",
            "I remember {who} wrote to me on the {topic}[ {when}][, I think on {detail}]. Which mail?",
        ),
    ),
    Script(
        kind="review",
        groups=("project", "customer"),
        details=pairs(
            """
                figures = the numbers, layout = the looks, summary = the short version, tone = how it
                sounds, appendix = the last pages, sources = where it comes from, diagram = the drawing,
                glossary = the list of words, cover = the front page
            """
        ),
        subjects=("Draft for {topic}: {detail}", "{topic} draft {count}", "Comments on the {topic} draft"),
        stages=(
            (
                "Attached is draft {count} for {topic}. Please look at the {detail} and send comments by {day}.",
                "I rewrote the {topic} draft. The {detail} is new, page {count}. {person} has not seen it yet.",
                "Could you read the {topic} draft until {day}? I am not sure about the {detail}.",
            ),
            (
                "My comments: the {detail} is too long, and {amount} on page {count} is wrong.",
                "{person} rejected the {detail}. New version of the {topic} draft comes on {day}.",
            ),
            (
                "Final version attached, {topic} gets it on {day}. {detail} is as {person} wanted.",
                "The {topic} draft is approved. Thanks for the remarks on the {detail}, all {count} are in.",
            ),
        ),
        replies=(
            "I will read it tonight. Anything else than page {count}?",
            "Better than the last one. One typo in the first line.",
            "Please let {person} check it before it goes out.",
            "Where does {amount} come from?",
        ),
        questions=(
            "What did {who} think of the {topic} document[ and {detail}][ {when}]?",
            "Which mail[ from {who}] gave feedback on our {topic} paper[, on {detail}][ {when}]?",
            "Find the text[ {who} sent] for {topic}[ {when}], where we argued over {detail}.",
        ),
    ),
)
