"""How the validation company writes about its matters, and how its people ask about them."""

from mailgym.corpora.simulate.phrasebook.book import Script, pairs

SCRIPTS = (
    Script(
        kind="invoice",
        groups=("vendor",),
        details=pairs(
            """
                glue = adhesive, covers = the outsides, freight = moving goods, hedges = the bushes,
                thread = sewing string, shelving = racks
            """
        ),
        subjects=("{topic} account {number}", "Remittance {topic}: {detail}"),
        stages=(
            ("Account {number} of {topic} shows {amount} for {detail}, to be remitted on {day}.",),
            ("The {detail} on {number} was billed double. {topic} owes us {amount}.",),
            ("Remitted {amount} to {topic} on {old_day}, {detail} included. {person} filed it.",),
        ),
        replies=("Has {person} seen the delivery?", "Please remit before {day}, they send reminders."),
        questions=("Which note[ from {who}] was on what {topic} charged[ for {detail}][ {when}]?",),
    ),
    Script(
        kind="contract",
        groups=("customer", "vendor"),
        details=pairs(
            """
                translation rights = other languages, advance = money up front, print run = how many
                copies, returns = unsold copies, film option = the movie, credits = being named
            """
        ),
        subjects=("Licence {topic}", "{topic} licence and {detail}"),
        stages=(
            ("The licence for {topic}: {amount}, with {detail}. They expect an answer on {day}.",),
            ("{topic} refuses {detail}. {person} suggests {amount}.",),
            ("Licence with {topic} concluded on {old_day}; {detail} as proposed.",),
        ),
        replies=("Rights should check paragraph {count}.", "{amount} is a fair number."),
        questions=("Which note[ by {who}] dealt with the bargain with {topic}[ over {detail}][ {when}]?",),
    ),
    Script(
        kind="meeting",
        groups=("project", "customer"),
        details=pairs(
            """
                cover art = the picture in front, launch = the first day, audience = who reads it,
                deadline = the last date, funding = where money comes from, voices = who speaks
            """
        ),
        subjects=("{topic} round table", "Round table: {topic}, {detail}"),
        stages=(
            ("Round table on {topic}, {day} at {time}. {detail} first, then the rest. {person} takes minutes.",),
            ("The round table goes from {old_day} to {day}, {time}. {detail} remains.",),
            ("Round table dropped. {person} answers {detail} by mail.",),
        ),
        replies=("I come with {person}.", "Half past {time} would suit me more."),
        questions=("Which note[ from {who}] arranged our talk over {topic}[ and {detail}][ {when}]?",),
    ),
    Script(
        kind="status",
        groups=("project",),
        details=pairs(
            """
                recording = taping it, typesetting = setting letters, illustrations = the art, proofs =
                first prints, index cards = the little slips
            """
        ),
        subjects=("{topic} bulletin", "Bulletin {number} {topic}: {detail}"),
        stages=(
            ("Bulletin for {topic}. {detail} at {count} percent, {amount} used, next bulletin {day}.",),
            ("{topic} loses a week, {detail} is stuck at {person}. Now {day}.",),
            ("{detail} is through, {topic} is on the home stretch.",),
        ),
        replies=("Ask {person} for {count} extra hands.", "That is more than I hoped."),
        questions=("Which note[ by {who}] told how {topic} got on[ with {detail}][ {when}]?",),
    ),
    Script(
        kind="travel",
        groups=("city",),
        details=pairs(
            """
                ferry = the boat, lodging = the bed, book stand = our table, reading = reciting aloud,
                rental = the loan car
            """
        ),
        subjects=("Passage to {topic}", "{topic} passage, {detail}"),
        stages=(
            ("Passage to {topic} on {day}, {time}. The {detail} is arranged, {amount}.",),
            ("{topic}: {day} replaces {old_day}. The {detail} went up to {amount}.",),
            ("We gave {topic} up. {person} cancels the {detail}.",),
        ),
        replies=("Aisle for me.", "Can {person} have my ticket?"),
        questions=("Which note[ from {who}] was on the tour to {topic}[ with {detail}][ {when}]?",),
    ),
    Script(
        kind="incident",
        groups=("system",),
        details=pairs(
            """
                fonts = the letter shapes, printing = paper output, permissions = who may enter, import
                = bringing data in, totals = the sums
            """
        ),
        subjects=("{topic} halted", "{topic} halted by {detail}"),
        stages=(
            ("{topic} halted at {time}, the {detail} gave up. {person} restarts it.",),
            ("Second halt of {topic}. The {detail} is at fault since {old_day}.",),
            ("{topic} runs. The {detail} is repaired, {count} pages lost.",),
        ),
        replies=("Again? Same as {count} days ago.", "{person} should write it down."),
        questions=("Which note[ by {who}] was on the crash of {topic}[ and {detail}][ {when}]?",),
    ),
    Script(
        kind="hiring",
        groups=("opening",),
        details=pairs(
            """
                wage = the pay, sample = a piece of work, hours = how long each day, language = what she
                speaks
            """
        ),
        subjects=("{topic} wanted", "Applications {topic}: {detail}"),
        stages=(
            ("{count} applications for {topic}. I like one, {detail} aside. Talk on {day}?",),
            ("She can come on {day}. {person} asks about the {detail}.",),
            ("The {topic} signs on {day}, {detail} as usual.",),
        ),
        replies=("Ask her for {amount}.", "{person} had doubts."),
        questions=("Which note[ from {who}] was on taking on a {topic}[, and {detail}][ {when}]?",),
    ),
    Script(
        kind="social",
        groups=("occasion",),
        details=pairs(
            """
                raffle = the lots, tents = cover from rain, choir = the singers, soup = the hot bowl
            """
        ),
        subjects=("{topic} again", "{topic} and the {detail}"),
        stages=(
            ("{topic} is on {day}. {person} brings the {detail}. {amount} each.",),
            ("{topic} one week later, {day}. The {detail} stays.",),
            ("{topic} was fun, the {detail} most of all.",),
        ),
        replies=("With pleasure.", "Only if {person} comes."),
        questions=("Which note[ by {who}] was on the {topic} outing[ and {detail}][ {when}]?",),
    ),
    Script(
        kind="office",
        groups=("office",),
        details=pairs(
            """
                motor = the engine, bulb = the glass thing, hinge = the joint, drain = the pipe
            """
        ),
        subjects=("House: {topic}", "House: {topic}, {detail}"),
        stages=(
            ("The {topic} stopped, its {detail} is broken. Repair {day}, {amount}.",),
            ("The {detail} for the {topic} comes on {day} only.",),
            ("The {topic} has its {detail} and works.",),
        ),
        replies=("Thank {person} for me.", "Not before {day}."),
        questions=("Which note[ from {who}] was on mending the {topic}[ and {detail}][ {when}]?",),
    ),
    Script(
        kind="review",
        groups=("project", "customer"),
        details=pairs(
            """
                preface = the first words, captions = lines below pictures, quotes = what others said,
                maps = the plans
            """
        ),
        subjects=("{topic} galleys", "{topic} galleys: {detail}"),
        stages=(
            ("Galleys of {topic}, {count} sheets. Mind the {detail}. Back by {day}.",),
            ("The {detail} must change, {person} insists.",),
            ("{topic} galleys are passed, {detail} too.",),
        ),
        replies=("Sheet {count} is upside down.", "Fine, {person} agrees."),
        questions=("Which note[ by {who}] criticised the {topic} pages[ and {detail}][ {when}]?",),
    ),
)
