"""Differences that are right as they are: for each reason the files, as ``check_real.py`` names them, and fields.

A reason is that mailgym reads more, or that it reads the same and shows it in another place, by choice.
"""

_REASONS: dict[str, tuple[str, ...]] = {
    "uuencoded content is decoded; the other side keeps it as it stands": (
        "stalwart/legacy/017.eml: attachments",
        "stalwart/legacy/048.eml: attachments",
    ),
    "uuencoded files in text are attachments, not text": (
        "stalwart/legacy/049.eml: text",
        "stalwart/legacy/049.eml: attachments",
        "mime4j/mimetools-testmsgs/sig-uu.msg: text sig-uu_decoded_1.txt",
        "mime4j/mimetools-testmsgs/uu-junk.msg: text uu-junk_decoded_1_2.txt",
        "mime4j/mimetools-testmsgs/uu-zeegee.msg: text uu-zeegee_decoded_1.txt",
        "hard-ham-1/00189.c69e4af5bfa5a1bcb403eefe112e5e45.eml: text",
    ),
    "text that is sent as a file, but to be shown in place, is shown and counted as a file": (
        "stalwart/legacy/030.eml: text",
        "stalwart/legacy/042.eml: text",
        "stalwart/legacy/047.eml: text",
        "stalwart/thirdparty/015.eml: attachments",
    ),
    "a backslash in a file name is kept, where it stands before no quote": (
        "stalwart/legacy/035.eml: attachments",
        "stalwart/legacy/039.eml: attachments",
    ),
    "a multipart whose boundary never appears, or a part behind it, is text, not a file": (
        *(
            f"stalwart/malformed/00{number}.eml: {field}"
            for number in (1, 2, 3, 4, 6, 7)
            for field in ("text", "attachments")
        ),
        *(
            f"stalwart/malformed/{number}.eml: {field}"
            for number in ("008", "009", "011")
            for field in ("text", "attachments")
        ),
        "stalwart/malformed/005.eml: text",
        "stalwart/malformed/016.eml: text",
        "stalwart/malformed/016.eml: attachments",
        "stalwart/thirdparty/005.eml: text",
    ),
    "every message inside is one, not only the first of an unclosed multipart": (
        "stalwart/malformed/012.eml: text of messages inside",
        "stalwart/malformed/012.eml: attachments",
    ),
    "text whose empty line before it is missing is kept": ("stalwart/malformed/019.eml: text",),
    "the form that has text is shown, and what stands before a first boundary is not": (
        "stalwart/malformed/020.eml: text",
        "stalwart/malformed/021.eml: text",
    ),
    "text of any kind without a file name is text; other forms of an alternative are not files": (
        "stalwart/rfc/000.eml: text",
        "stalwart/rfc/000.eml: attachments",
        "stalwart/rfc/003.eml: attachments",
        "stalwart/rfc/007.eml: text",
        "stalwart/thirdparty/002.eml: attachments",
        "stalwart/thirdparty/008.eml: text",
        "stalwart/thirdparty/008.eml: attachments",
        "stalwart/thirdparty/012.eml: text",
        "stalwart/thirdparty/012.eml: attachments",
    ),
    "a part of a message, and one that lies elsewhere, are files without a size to compare": (
        "stalwart/rfc/001.eml: attachments",
        "stalwart/thirdparty/009.eml: attachments",
        "cpython/msg_36.txt: text",
    ),
    "base64 that is none is kept as it stands": ("stalwart/thirdparty/002.eml: text",),
    "of several forms in forms one is shown": ("stalwart/thirdparty/008.eml: text of messages inside",),
    "the plain form is shown where there are two": (
        "mime4j/mimetools-testmsgs/bluedot-postcard.msg: text bluedot-postcard_decoded_1_2_1.txt",
    ),
    "a plain form that only says that there is HTML is not shown": (
        "hard-ham-1/00167.728c686d0128f4d677a5658d865e6159.eml: text",
        "hard-ham-1/00169.251360b0bc97db8a080cc122ce0428fe.eml: text",
        "hard-ham-1/00170.1a9e4779117adf05e9690401ab6bc6cb.eml: text",
        "hard-ham-1/00176.de59e6073d714bb1e1d2e9e8a45dd4c9.eml: text",
        "spam-2/00457.f4325a4aa30dce61bf6c442b887733dd.eml: text",
        "spam-2/01269.aa905c10b8358328fb77d2f900e4491f.eml: text",
    ),
    "commands of enriched text are left out": (
        "mime4j/mimetools-testmsgs/multi-frag.msg: text multi-frag_decoded_1_4.txt",
        "mime4j/mimetools-testmsgs/multi-nested.msg: text multi-nested_decoded_1_4.txt",
        "mime4j/mimetools-testmsgs/multi-nested2.msg: text multi-nested2_decoded_1_4.txt",
        "mime4j/mimetools-testmsgs/multi-nested3.msg: text multi-nested3_decoded_1_4.txt",
    ),
    "a file whose end is cut or damaged is decoded to its last whole byte, and text behind it is kept": (
        "mime4j/mimetools-testmsgs/frag.msg: file frag_decoded_1_2_1_2_1_2_1_2.bin",
        "mime4j/mimetools-testmsgs/multi-frag.msg: file multi-frag_decoded_1_3_2.bin",
    ),
    "AM and PM are read": (
        "notmuch_corpora/crypto/encrypted-signed.eml: date",
        "spam-2/00039.1295593cb1da98e80123f333def0b8dd.eml: date",
        "spam-2/00059.d7351d4fe66fb96d83ffb65b4a60b3cc.eml: date",
        "spam-2/00063.98dc120045d9b6c675c286524bf893ba.eml: date",
        "spam-2/00075.f1c6bf042cf0ed13452e4a15929db8cd.eml: date",
        "spam-2/00078.f318607d8f4699d51f456fea10838c5a.eml: date",
        "spam-2/00079.7a1b9cd54acec8774ef833df17206630.eml: date",
        "spam-2/00091.7b4331237cddd30e9fa27b99af25bf3c.eml: date",
        "spam-2/00535.6f0720362e104f169c08308d82a8c804.eml: date",
        "spam-2/01321.f32dcf9a564da7e27f9fcad664cb0fe1.eml: date",
    ),
    "a zone with two signs is the second's, and one of five digits is none": (
        "spam-1/00068.d10af636a6082d5172ceb34a944486e6.eml: date",
        "spam-1/00163.244a217b150d2129cbdc52b96d992382.eml: date",
        "spam-1/00349.dd7982f40576ff4897c18efc813e38bf.eml: date",
        "spam-1/00447.bd5eb01e94f6d127465bf325513b2516.eml: date",
        "spam-2/00645.dd7d8ec1eb687c5966c516b720fcc3d5.eml: date",
        "spam-2/00679.a0ad2b887acad77749720b6004a17f13.eml: date",
        "spam-2/00746.f0fce8c4c17e53a0fe837a8c6cfe03c6.eml: date",
        "spam-2/00845.50e08b3f38d440f61b858415e012a9bb.eml: date",
        "spam-2/00863.21d7abedcd9baef5741247adc3b50717.eml: date",
        "spam-2/01132.3d0e60ced92087634f1433f12810096d.eml: date",
        "spam-2/01391.d84700fa88ef00525b05a2d9c64fa654.eml: date",
    ),
    "what stands between angle brackets is kept whole, valid or not; a control character is a space": (
        "easy-ham-1/00714.16c4d34ab2c9622fe82de9570946f9ef.eml: cc",
        "easy-ham-2/01324.23a1f5017a5531fca08d9ebe2f5b0537.eml: to",
        "easy-ham-2/01325.d94c9e1cca235f9f1bcecf469954490f.eml: to",
        "easy-ham-2/01326.b3210847a0d8621e380ac3e10606c497.eml: to",
        "hard-ham-1/00247.42534d5df0700cb2adf240556c539947.eml: to",
        "spam-1/00096.a791864be5f1205bf2cea0adf241b25a.eml: to",
        "spam-1/00133.17dccf2499a4245b83890e0784c43499.eml: to",
        "spam-1/00296.0087354f4bb7c4e756124632a4a7e80a.eml: to",
        "spam-1/00297.3350c2dbbb0272c27b2c7773d7012356.eml: to",
        "spam-1/00351.fd1b8a6cd42e81125fb38c2660cd9317.eml: to",
        "spam-1/00368.2c1ab4bc7f408e0fcb22dca9b2d5a113.eml: to",
        "spam-1/00373.ebe8670ac56b04125c25100a36ab0510.eml: to",
        "spam-2/00038.906d76babc3d78d6294c71b1b52d4d7f.eml: to",
        "spam-2/00080.2dda9e4297c6b66bff478c9d2d3756f1.eml: from",
        "spam-2/00343.c84d94ad804925c271bb15b979e11dc7.eml: to",
        "spam-2/00344.e6463530b23a12554d2e6f0e08ae10a7.eml: to",
        "spam-2/00464.d2f719c667d192af860572b1c858cc11.eml: to",
        "spam-2/00778.90e72cda6e62435fc03e4d91bbf78ca9.eml: to",
        "spam-2/00929.008a60368b7623f11c7bb95826eb7366.eml: to",
        "spam-2/00930.4e807b43e671cf853ff61ec4bef6233d.eml: to",
        "spam-2/01135.0a652f28eb7e06830ca75be5d2f41eaa.eml: to",
        "spam-2/01349.71c7c224e68df0a19c1834065368c89f.eml: to",
    ),
    "quotes and brackets without a pair in addresses of a bad conversion are read as they stand": (
        "lay-k.mbox.xz#2254: cc",
        "lay-k.mbox.xz#2254: bcc",
        "lenhart-m.mbox.xz#1844: cc",
        "lenhart-m.mbox.xz#1844: bcc",
        "quigley-d.mbox.xz#746: to",
        "quigley-d.mbox.xz#840: to",
        "shankman-j.mbox.xz#1092: to",
    ),
    "encoded words in addresses are decoded": (
        "spam-1/00263.13fc73e09ae15e0023bdb13d0a010f2d.eml: from",
        "spam-1/00263.13fc73e09ae15e0023bdb13d0a010f2d.eml: to",
        "spam-1/00320.20dcbb5b047b8e2f212ee78267ee27ad.eml: from",
        "spam-1/00320.20dcbb5b047b8e2f212ee78267ee27ad.eml: to",
        "spam-1/00323.9e36bf05304c99f2133a4c03c49533a9.eml: from",
        "spam-1/00323.9e36bf05304c99f2133a4c03c49533a9.eml: to",
        "spam-1/00324.6f320a8c6b5f8e4bc47d475b3d4e86ef.eml: from",
        "spam-1/00324.6f320a8c6b5f8e4bc47d475b3d4e86ef.eml: to",
    ),
    "bytes of an address that name no charset are read in that of the text": (
        "spam-1/00252.7e355e0c5fd1de609684544262435579.eml: from",
        "spam-1/00293.f4e9fd5549f9063ad5559c094edf08f2.eml: from",
        "spam-1/00338.a595ffbb6cbcf3a5058293051ebaabf4.eml: to",
        "spam-2/00704.30306e2e506ca198fe8dea2b3c11346a.eml: from",
    ),
}
ACCEPTED: dict[tuple[str, str], str] = {
    (file, field): reason
    for reason, entries in _REASONS.items()
    for file, _, field in (entry.partition(": ") for entry in entries)
}
