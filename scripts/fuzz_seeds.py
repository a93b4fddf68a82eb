"""What scripts/fuzz_mail.py makes its inputs of: mails and queries, and marks that mean something in them."""

PLAIN = b"""From: Dana Whitfield <dana@x.example>
To: "Ray, Bob" <bob@x.example>, Team: a@x.example, b@x.example;, <@relay.example:c@x.example>
Date: Mon, 14 May 2001 16:39:00 -0700 (PDT)
Message-ID: <one@x.example>
References: <zero@x.example>
 <half@x.example>
Subject: =?utf-8?q?Storage_f=C3=BCr?= =?iso-8859-1?b?SnVuZQ==?=
Content-Type: text/plain; charset=us-ascii; format=flowed

Understanding the contract is necessary \nbefore tomorrow.
> previously quoted
-- \nDana
"""
NESTED = b"""From: a@x.example
MIME-Version: 1.0
Content-Type: multipart/mixed; boundary="outer b"

before
--outer b
Content-Type: multipart/alternative; boundary=inner

--inner
Content-Type: text/plain; charset=utf-8
Content-Transfer-Encoding: quoted-printable

Caf=C3=A9 at noon=
, surely

--inner
Content-Type: text/html; charset=windows-1252

<html><head><style>p{color:red}</style></head><body><p>Caf\xe9 <b>at</b> noon<table><tr><td>1<td>2</table>
<blockquote type=cite>old <ul><li>item</ul></blockquote></body></html>
--inner--
--outer b
Content-Type: message/rfc822

Subject: inside
Content-Type: text/plain; charset=iso-2022-jp

\x1b$BF|K\\\x1b(B
--outer b
Content-Type: application/pdf; name*0*=utf-8''plan%20; name*1="b.pdf"
Content-Transfer-Encoding: base64
Content-Disposition: attachment; filename="=?utf-8?q?plan=2Epdf?="

JVBERi0xLjQKJcOkw7zDtsOfCg==
--outer b--
behind
"""
CALENDAR = b"""Content-Type: text/calendar; method=REQUEST
Received: from a by b; Mon May 14 10:00:00 EST 2001

BEGIN:VCALENDAR
BEGIN:VEVENT
SUMMARY:Lunch\\, long
DTSTART;TZID="Europe/Berlin":20010514T120000
ORGANIZER;CN="Ray, Bob":mailto:bob@x.example
END:VEVENT
END:VCALENDAR
"""
TNEF = b"""Content-Type: application/ms-tnef; name=winmail.dat

\x78\x9f\x3e\x22\x01\x00\x02\x02\x90\x06\x00\x02\x00\x00\x00\x00\x00\x00\x00\x02\x10\x80\x01\x00\x06\x00\x00\x00a.txt\x00\x00\x00
"""
UUENCODED = b"""Subject: a file

begin 644 cat.txt
#0V%T
`
end
Thereafter follows ordinary conversation.
"""
SEEDS = (PLAIN, NESTED, CALENDAR, TNEF, UUENCODED, PLAIN.replace(b"\n", b"\r\n"), b"")
TOKENS = (
    b"\n",
    b"\r\n",
    b"\r",
    b"\n\n",
    b"--b\n",
    b"--b--\n",
    b"--outer b\n",
    b"--inner--\n",
    b": ",
    b";",
    b'"',
    b"(",
    b")",
    b"<",
    b">",
    b"=?utf-8?q?",
    b"=?gb2312?b?",
    b"?=",
    b"=",
    b"=3D",
    b"=\n",
    b"\x00",
    b"\xff",
    b"\xe9",
    b"\xc3",
    b"\x1b$B",
    b"+AGE-",
    b"~{",
    b"Content-Type: ",
    b"multipart/mixed; boundary=b",
    b"multipart/digest",
    b"message/rfc822\n\n",
    b"text/html",
    b"charset=",
    b"utf-16",
    b"utf-7",
    b"hz",
    b"Content-Transfer-Encoding: ",
    b"base64",
    b"quoted-printable",
    b"x-uuencode",
    b"begin 644 a\n",
    b"filename*0*=utf-8''",
    b"<div>",
    b"<table>",
    b"<!--",
    b"<script>",
    b"&#x0;",
    b"BEGIN:VEVENT\n",
    b"Date: ",
    b"31 Feb 99 ",
    b"From: ",
    b"To: ",
    b"Subject: ",
    b"@",
    b",",
    b"\\",
    b"*",
    b"'",
    b" ",
    b"\t",
)
QUERY_TOKENS = (
    "storage",
    "contract",
    "dana",
    '"',
    "'",
    "*",
    "-",
    "NEAR",
    "AND",
    "OR",
    "NOT",
    "(",
    ")",
    ":",
    "^",
    "+",
    "\x00",
    "\ud800",
    "😀",
    "é",
    "e\u0301",
    "日本",
    " ",
    "\n",
    "%",
    "_",
    "\\",
    ";",
    "--",
    "subject:",
    "{",
    "}",
    "ı",
    "ß",
    "İ",
    "2001-05-14",
    "a" * 300,
    "𝟘",
)
DATES = (
    "2001-05-14",
    "2001-13-45",
    "2001-05-14T10:00:00Z",
    "",
    "soon",
    "9999-12-31",
    "0001-01-01",
    "2001-05-14T10:00:00+99:99",
)


PLAIN_WORDS = (
    "understanding",
    "Thereafter",
    "contract",
    "a",
    "I",
    ">",
    "> ",
    ">>",
    "-- ",
    "--",
    "--b",
    "--b--",
    "begin",
    "end",
    "From ",
    "Subject: ",
    "Dear Dana",
    "http://x.example/?a=1&b=2",
    "<p>",
    "</p>",
    "=3D",
    "=",
    ";",
    ":",
    "On Monday Dana wrote:",
    "-----Original Message-----",
    "_____",
    "\t",
    "~{",
    "+AGE-",
    "&amp;",
    "=?utf-8?q?x?=",
    ".",
    "..",
    "1.",
    "(",
    ")",
    '"',
    "To: bob@x.example",
    "x" * 300,
)
