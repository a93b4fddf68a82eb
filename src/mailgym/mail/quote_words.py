"""How mail programs of many languages mark what is not new in a message: words and patterns, as data."""

import re


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


def _phrases(text: str) -> tuple[str, ...]:
    return tuple(text.split("|"))


FROM_FIELDS = _words(
    "from von de da van fra från od lähettäjä expéditeur remitente mittente от kimden 发件人 寄件者 差出人"
)
SENT_FIELDS = _words(
    "sent gesendet envoyé envoye enviado enviada inviato verzonden skickat sendt wysłano lähetetty отправлено"
    " gönderilen 发送时间 寄件日期 送信日時"
)
DATE_FIELDS = _words("date datum data fecha dato päivä дата tarih 日期 日時")
TO_FIELDS = _words("to an à a para aan till til do vastaanottaja destinataire destinatario кому kime 收件人 宛先")
SUBJECT_FIELDS = _words(
    "subject betreff objet asunto oggetto onderwerp assunto ämne emne temat aihe тема konu 主题 主旨 件名"
)
COPY_FIELDS = _words("cc bcc kopie copie copia kopia kopi dw kopio копия")
OTHER_FIELDS = _words(
    "reply-to antwort message-id organization organisation importance wichtigkeit priority sender resent-from"
    " attachments"
)
ALL_FIELDS = FROM_FIELDS | SENT_FIELDS | DATE_FIELDS | TO_FIELDS | SUBJECT_FIELDS | COPY_FIELDS | OTHER_FIELDS

ORIGINAL = _phrases(
    "original message|original appointment|ursprüngliche nachricht|originalnachricht|original-nachricht"
    "|message d'origine|message d’origine|message original|mensaje original|messaggio originale|oorspronkelijk bericht"
    "|origineel bericht|mensagem original|ursprungligt meddelande|originalmeddelande|oprindelig meddelelse"
    "|original meddelelse|opprinnelig melding|oryginalna wiadomość|wiadomość oryginalna"
    "|alkuperäinen viesti|původní zpráva|исходное сообщение|orijinal mesaj|原始邮件|邮件原件|元のメッセージ"
)
FORWARDED = _phrases(
    "forwarded|begin forwarded|start forwarded|start of forwarded|weitergeleitete nachricht|message transféré"
    "|message transmis|mensaje reenviado|messaggio inoltrato|doorgestuurd bericht|mensagem encaminhada"
    "|mensagem reencaminhada|vidarebefordrat meddelande|videresendt|przekazana wiadomość|wiadomość przekazana"
    "|välitetty viesti|пересылаемое сообщение|转发"
)
PGP_SIGNATURE = ("begin pgp signature", "begin pgp public key")
END_OF_PGP = re.compile(r"\s*-{5}END PGP ")
END_OF_FORWARDED = re.compile(r"\s*[-_=*]{2,}\s*end (?:of )?(?:the )?forward", re.IGNORECASE)
BEGIN_FORWARDED = re.compile(
    r"(?:begin forwarded message|anfang der weitergeleiteten (?:nachricht|e-mail)"
    r"|début du message (?:réexpédié|transféré)|inicio del mensaje reenviado|inizio messaggio inoltrato"
    r"|begin doorgestuurd bericht|início da mensagem (?:encaminhada|reencaminhada)"
    r"|vidarebefordrat brev|videresendt (?:besked|melding)|start på videresendt besked"
    r"|początek przekazywanej wiadomości)\s*:?\s*\Z",
    re.IGNORECASE,
)

ATTRIBUTION_START = re.compile(
    r"(?:on|at|in|am|le|el|il|op|em|no|na|den|på|w|dnia|dne|kl|пн|вт|ср|чт|пт|сб|вс|\d{1,4}[./-]\d{1,2}[./-]\d{1,4})\b",
    re.IGNORECASE,
)
_WRITING = _phrases(
    "wrote|writes|said|says|spake|typed|scribbled|mentioned|schrieb|écri|escribió|scri|schreef|escreveu|skrev|napisa|pisze"
    "|napsal|kirjoitti|yazdı|írta|пишет|писал|写道|寫道|書きました|のメール|geschreven"
)
_WROTE = re.compile(
    r"\b(?:wrote|writes|said|says|spake|typed|scribbled|mentioned|schrieb|a écrit|écrivait|escribió|ha scritto|scrisse"
    r"|escreveu|pisze|kirjoitti|yazdı|írta|пишет|geschreven)\b[\s*_()]{0,4}:\W{0,3}\Z"
    r"|(?:写道|寫道|書きました|のメール)\s?:\Z"
    r"|\b(?:schrieb|schreef|skrev|napisał(?:a|\(a\))?|napsala?|(?:на)?писала?)(?: .{0,150})?:\W{0,3}\Z",
    re.IGNORECASE,
)
ADDRESS = re.compile(r"[<(\[]?[^\s<>()\[\]]{1,64}@[^\s<>()\[\]]{2,80}")
DATE_LIKE = re.compile(
    r"\d|\b(?:mon|tues|wednes|thurs|fri|satur|sun)day\b|\b(?:yesterday|montag|dienstag|mittwoch|donnerstag|freitag"
    r"|samstag|sonntag|lundi|mardi|mercredi|jeudi|vendredi|samedi|dimanche)\b",
    re.IGNORECASE,
)
BRACKETED_NAME = re.compile(r"\[[^\[\]\d]{3,50}\]\Z")

NOTES_DATE = re.compile(r"\d{1,2}[/.-]\d{1,2}[/.-]\d{2,4}\b|\b\d{1,2}:\d{2}\b")
NOTES_DATE_ALONE = re.compile(
    r"[\s*]*\d{1,2}[/.-]\d{1,2}[/.-]\d{2,4},?\s+\d{1,2}:\d{2}(?::\d{2})?[\sAPMapm.]{0,8}(?:\w{2,5})?\s*\Z"
)
NOTES_BETWEEN = re.compile(r"\s*(?:please respond to|sent by|antwort an|gesendet von)\b", re.IGNORECASE)
NOTES_ON_ONE_LINE = re.compile(
    r".{3,120}?\b(?:\d{1,2}/\d{1,2}/\d{2,4}|\d{4}/\d{2}/\d{2}) \d{1,2}:\d{2}\b.{0,80}?\sTo: .*\b(?:cc|Subject):"
)

_MOBILE = re.compile(
    r"(?:sent (?:from|via|using|by) (?:my |the |a )?(?:mobile|phone|iphone|ipad|ipod|android|blackberry|samsung|galaxy"
    r"|htc|nokia|sony|windows|yahoo|outlook|mail for|gmail|proton|verizon|at&t|t-mobile|wireless|handheld|treo|palm)\b"
    r"|get outlook for|download outlook|von meinem .{2,40} gesendet|gesendet (?:von mein|mit der|aus outlook)"
    r"|envoyé (?:de|depuis|à partir de) (?:mon|ma|yahoo|outlook)"
    r"|envia(?:do|t) (?:desde|do|de|del|des del|a partir do) (?:mi|meu|yahoo|outlook|iphone|android)"
    r"|inviato da(?:l mio)? (?:ip|mio|tel|cell|smart|outlook|yahoo|android|samsung)"
    r"|verzonden (?:vanaf|vanuit|met|via) (?:mijn|outlook|mail)|skickat från m|sendt fra min"
    r"|wysłan[oe] (?:z|za pomocą) |lähetetty (?:iphone|puhelim|samsung|outlook)|отправлено с |iphone.dan gönderildi)"
    r".{0,60}\Z",
    re.IGNORECASE,
)
_MOBILE_BEGINNINGS = frozenset(_phrases("sent|get |down|von |gese|envo|envi|invi|verz|skic|send|wysł|lähe|отпр|ipho"))
RULE = re.compile(r"\s*(?:_{10,}|-{10,}|={10,}|\*{10,}|#{10,})(?:[\s~>-]*|\s*yahoo! groups.{0,60})\Z", re.IGNORECASE)
FOOTER_SIGNS = _phrases(
    "mailman/listinfo|unsubscri|mailing list|majordomo|sf.net email is|yahoo! groups|googlegroups|abmelden|désabonner"
    "|désinscri|//www.hotmail.com|msn hotmail|do you yahoo|intended recipient|intended solely|intended only for"
    "|may contain confidential|confidential and|legally privileged|property of the sender"
)
_FOOTER_LINE = re.compile(
    r"\s*(?:<?https?://\S{1,200}/(?:mailman/)?listinfo/\S{1,80}|to (?:un)?subscribe\b.{0,160}|unsubscribe\b.{0,100}"
    r"|\S{1,60} mailing list|\S{1,80}-unsubscribe@\S{1,80}|your use of yahoo! groups is subject to.{0,80})\s*\Z",
    re.IGNORECASE,
)


def mentions_writing(text: str) -> bool:
    """Return whether somebody writes or says something in a line."""
    lowered = text.lower()
    return any(verb in lowered for verb in _WRITING)


def is_attribution(text: str) -> bool:
    """Return whether a line says that somebody wrote what follows."""
    return mentions_writing(text) and _WROTE.search(text) is not None


def is_mobile_line(text: str) -> bool:
    """Return whether a line is what a telephone or a program adds below a message."""
    return text[:4].lower() in _MOBILE_BEGINNINGS and _MOBILE.match(text) is not None


def is_footer_line(text: str) -> bool:
    """Return whether a line is what a mailing list adds below a message, and nothing else is."""
    lowered = text.lower()
    may_be_one = "subscribe" in lowered or "list" in lowered or "yahoo!" in lowered
    return may_be_one and _FOOTER_LINE.match(text) is not None
