"""Whatever language the mail program speaks, the older message is told from the new text."""

import pytest

from mailgym.mail.quote_words import is_attribution, is_footer_line, is_mobile_line
from mailgym.mail.quotes import split_quotes

ATTRIBUTIONS = {
    "en": "On Mon, May 14, 2001 at 10:00 AM Dana Whitfield <d@x.example> wrote:",
    "en, two lines": "On Mon, 14 May 2001 10:00:00 +0200, Dana Whitfield\n<d@x.example> wrote:",
    "en, three lines": "On Mon, 14 May 2001 10:00:00 +0200,\nDana Whitfield\n<d@x.example> wrote:",
    "en, name first": "Dana Whitfield <d@x.example> writes:",
    "de": "Am 14.05.2001 um 10:00 schrieb Dana Whitfield <d@x.example>:",
    "de, two lines": "Am Mo., 14. Mai 2001 um 10:00 Uhr schrieb Dana Whitfield\n<d@x.example>:",
    "fr": "Le lun. 14 mai 2001 à 10:00, Dana Whitfield <d@x.example> a écrit :",
    "es": "El lun, 14 may 2001 a las 10:00, Dana Whitfield (<d@x.example>) escribió:",
    "it": "Il giorno lun 14 mag 2001 alle ore 10:00 Dana Whitfield <d@x.example> ha scritto:",
    "nl": "Op ma 14 mei 2001 om 10:00 schreef Dana Whitfield <d@x.example>:",
    "nl, verb last": "Op 14 mei 2001 heeft Dana Whitfield <d@x.example> het volgende geschreven:",
    "pt": "Em seg., 14 de mai. de 2001 às 10:00, Dana Whitfield <d@x.example> escreveu:",
    "sv": "Den mån 14 maj 2001 kl 10:00 skrev Dana Whitfield <d@x.example>:",
    "da": "Den man. 14. maj 2001 kl. 10.00 skrev Dana Whitfield <d@x.example>:",
    "no": "man. 14. mai 2001 kl. 10:00 skrev Dana Whitfield <d@x.example>:",
    "pl": "W dniu 14.05.2001 o 10:00, Dana Whitfield pisze:",
    "pl, name last": "pon., 14 maj 2001 o 10:00 Dana Whitfield <d@x.example> napisał(a):",
    "fi": "ma 14. toukok. 2001 klo 10.00 Dana Whitfield (d@x.example) kirjoitti:",
    "cs": "Dne 14. 5. 2001 v 10:00 Dana Whitfield <d@x.example> napsal:",
    "tr": "Dana Whitfield <d@x.example>, 14 May 2001 Pzt, 10:00 tarihinde şunu yazdı:",
    "ru": "пн, 14 мая 2001 г. в 10:00, Dana Whitfield <d@x.example>:\n> раньше",
    "zh": "Dana Whitfield <d@x.example> 于2001年5月14日周一 10:00写道：",
}
HEADERS = {
    "en": ("From", "Sent", "To", "Subject"),
    "en, starred": ("*From", "*Sent", "*To", "*Subject"),
    "de": ("Von", "Gesendet", "An", "Betreff"),
    "fr": ("De", "Envoyé", "À", "Objet"),
    "es": ("De", "Enviado", "Para", "Asunto"),
    "it": ("Da", "Inviato", "A", "Oggetto"),
    "nl": ("Van", "Verzonden", "Aan", "Onderwerp"),
    "pt": ("De", "Enviada", "Para", "Assunto"),
    "sv": ("Från", "Skickat", "Till", "Ämne"),
    "da": ("Fra", "Sendt", "Til", "Emne"),
    "pl": ("Od", "Wysłano", "Do", "Temat"),
    "fi": ("Lähettäjä", "Lähetetty", "Vastaanottaja", "Aihe"),
    "ru": ("От", "Отправлено", "Кому", "Тема"),
    "zh": ("发件人", "发送时间", "收件人", "主题"),
}
DIVIDERS = [
    "-----Original Message-----",
    "________ Original Message ________",
    "-------- Ursprüngliche Nachricht --------",
    "-----Message d'origine-----",
    "-----Mensaje original-----",
    "-----Messaggio originale-----",
    "-----Oorspronkelijk bericht-----",
    "-----Mensagem original-----",
    "-----Ursprungligt meddelande-----",
    "-----Oprindelig meddelelse-----",
    "-----Oryginalna wiadomość-----",
    "---------- Forwarded message ---------",
    "-------- Weitergeleitete Nachricht --------",
    "---------- Messaggio inoltrato ----------",
    "---------- Doorgestuurd bericht ----------",
    "Begin forwarded message:",
    "Anfang der weitergeleiteten Nachricht:",
    "Inizio messaggio inoltrato:",
]


@pytest.mark.parametrize("attribution", ATTRIBUTIONS.values(), ids=list(ATTRIBUTIONS))
def test_an_attribution_and_the_unmarked_text_below_it_are_quoted(attribution):
    split = split_quotes(f"New.\n\n{attribution}\n\nOld.")
    assert split.new_text == ("New." if "раньше" not in attribution else "New.\n\n\nOld.")
    assert split.quoted_text.startswith(attribution.split("\n", maxsplit=1)[0])


@pytest.mark.parametrize("attribution", ATTRIBUTIONS.values(), ids=list(ATTRIBUTIONS))
def test_below_an_attribution_with_marked_lines_the_answers_stay_new(attribution):
    split = split_quotes(f"{attribution}\n> first?\nYes.\n> second?\nNo.")
    assert split.new_text == "Yes.\nNo."


@pytest.mark.parametrize("names", HEADERS.values(), ids=list(HEADERS))
def test_a_header_block_and_all_below_it_are_quoted(names):
    star = "*" if names[0].startswith("*") else ""
    values = ("Dana Whitfield", "14.05.2001 10:00", "Bob Ray", "Power")
    block = "\n".join(f"{name}:{star} {value}" for name, value in zip(names, values, strict=True))
    assert split_quotes(f"New.\n\n{block}\n\nOld.").new_text == "New."
    assert split_quotes(f"New.\n\n________________________________\n{block}\n\nOld.").new_text == "New."
    assert split_quotes(f"{block}\n\nOld.").new_text == ""


def test_a_header_block_in_wide_characters_is_seen_and_kept_as_written():
    split = split_quotes("New.\n\n发件人：Dana\n发送时间：2001年5月14日\n收件人：Bob\n主题：Power\n\nOld.")
    assert split.new_text == "New."
    assert split.quoted_text.startswith("发件人：Dana\n")


@pytest.mark.parametrize("divider", DIVIDERS)
def test_all_below_a_divider_is_quoted(divider):
    assert split_quotes(f"New.\n\n{divider}\nOld.").new_text == "New."
    assert split_quotes(f"{divider}\n\nOld.").new_text == ""


@pytest.mark.parametrize(
    "line",
    [
        "Sent from my iPhone",
        "Sent from my Verizon Wireless BlackBerry",
        "Get Outlook for iOS<https://aka.example/x>",
        "Von meinem iPhone gesendet",
        "Envoyé de mon iPhone",
        "Enviado desde mi iPhone",
        "Inviato da iPhone",
        "Verzonden vanaf mijn Android-telefoon",
        "Skickat från min iPhone",
        "Wysłano z iPhone'a",
    ],
)
def test_what_a_telephone_adds_is_not_new(line):
    assert is_mobile_line(line)
    assert split_quotes(f"New.\n\n{line}").new_text == "New."
    assert split_quotes(f"New.\n\n{line}\n\nOn May 14, 2001, Dana <d@x.example> wrote:\n\n> Old").new_text == "New."


@pytest.mark.parametrize(
    "line", ["Sent from Houston by truck on Monday", "Get the report from Dana", "Von mir aus gern"]
)
def test_sentences_are_not_what_a_telephone_adds(line):
    assert not is_mobile_line(line)


def test_a_sentence_that_tells_of_writing_is_no_attribution():
    assert not is_attribution("On Monday he wrote about three things:")
    assert is_attribution("On Monday, Dana wrote:")


def test_lines_of_mailing_lists_are_known():
    assert is_footer_line("http://lists.example.org/mailman/listinfo/pumps")
    assert is_footer_line("To unsubscribe, write to pumps-request@example.org")
    assert not is_footer_line("Please unsubscribe Bob from the pumps, he left us in May.")
