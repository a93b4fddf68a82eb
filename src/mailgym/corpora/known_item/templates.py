"""How a known-item question is put: other sentences in each split, so that a test never repeats a training sentence.

``{mail}`` becomes "the mail from Dana" or "the mail I sent to Dana", ``{when}`` a time with a blank before it or
nothing, ``{what}`` the words.
"""

TEMPLATES: dict[str, tuple[str, ...]] = {
    "train": (
        "Find {mail} about {what}{when}.",
        "Where is {mail}{when} that mentions {what}?",
        "I am looking for {mail} on {what}{when}.",
        "Which one was {mail}{when} with something about {what}?",
        "I remember {mail}{when}, it had to do with {what}.",
        "Please get me {mail} that talked about {what}{when}.",
        "Can you dig out {mail}{when}? It was on {what}.",
        "Do you still have {mail} concerning {what}{when}?",
    ),
    "validation": (
        "Show me {mail} regarding {what}{when}.",
        "There was {mail}{when} in which {what} came up.",
        "What became of {mail} on the subject of {what}{when}?",
        "Bring up {mail}{when}; I think it said something of {what}.",
    ),
    "test": (
        "I need {mail} dealing with {what}{when}.",
        "Look up {mail}{when}, the one with {what} in it.",
        "Did I keep {mail} in which we discussed {what}{when}?",
        "Help me recover {mail} that brought up {what}{when}.",
        "Could you pull {mail}{when}? As I recall it covered {what}.",
        "Somewhere there must be {mail}{when} where {what} is the topic.",
    ),
}

MONTHS = (
    "January", "February", "March", "April", "May", "June",
    "July", "August", "September", "October", "November", "December",
)  # fmt: skip

# Words that tell nothing about a mail. Own list: English function words, days, months, and the small talk of mail.
_STOP_WORDS = """
a about above after again against all also am an and any apr april are aren as at aug august back be because
been before being below between both but by can cannot cc com could couldn day days dec december did didn do
does doesn doing don done down during each either email even ever every feb february few for forwarded friday
from further fw fwd get gets getting give given go going good got had has have having he hello her here hers
hi him his how however html http https i if in into is isn it its itself jan january jul july jun june just
know last let like ll look looking mail mails make many mar march may maybe me message might mon monday more
most much must my myself need needs net never new next no nor not nov november now oct october of off oh ok
okay on once one only or org original other our ours out over own per please pm put re really regards said
same saturday saw say says see seen send sent sep sept september shall she should shouldn since so some
someone something soon still subject such sunday sure take tell than thank thanks that the their theirs them
themselves then there these they thing things think this those though through thursday to today tomorrow too
tue tuesday two until up upon us use used using ve very via want was wasn way we wed wednesday week well went
were weren what when where whether which while who whom whose why will with within without won would wouldn
www yes yesterday yet you your yours
"""
STOP_WORDS = frozenset(_STOP_WORDS.split())
