"""Passwords that are refused because attackers try them first: common words, their usual spellings with digits, and repetitions.

A password of at least 12 characters is common if it consists only of these words, once lower-cased, with digits turned back into letters
(0 for o, 1 for i, ...) and without digits and signs at both ends; or if it repeats a short piece, or runs along the keyboard or alphabet.
"""

_TEXT = """
    password passwort passwd pass motdepasse contrasena parola wachtwoord haslo senha admin administrator root user login welcome willkommen
    bienvenue hello hallo secret geheim letmein changeme change default access master server system windows vmware esxi vcenter vsphere
    iscsi storage plumbline equallogic dell chelsio broadcom intel qlogic network netzwerk company firma office test testing demo guest
    qwerty qwertz azerty asdf asdfgh yxcvbn zxcvbn monkey dragon football baseball soccer hockey superman batman shadow sunshine princess
    iloveyou iloveu love loveme trustno trustnoone whatever internet computer summer sommer winter spring autumn herbst fruehling january
    february march april may june july august september october november december monday tuesday wednesday thursday friday saturday sunday
    michael jennifer charlie thomas jordan daniel ashley michelle amanda jessica liverpool chelsea arsenal barcelona ginger pepper cookie
    banana cheese flower freedom forever starwars pokemon killer hunter ranger tigger buster maggie correct horse battery staple abc xyz
    abcd abcdef abcdefg abcdefgh one two three four five six seven eight nine ten eins zwei drei my the is your this i am it new old very
"""
_WORDS = frozenset(_TEXT.split())
_DIGITS_FOR_LETTERS = str.maketrans(
    {"0": "o", "1": "i", "3": "e", "4": "a", "5": "s", "7": "t", "8": "b", "@": "a", "$": "s", "!": "i", "€": "e"}
)
_RUNS = (
    "abcdefghijklmnopqrstuvwxyz",
    "01234567890123456789",
    "qwertyuiopasdfghjklzxcvbnm",
    "qwertzuiopasdfghjklyxcvbnm",
    "azertyuiopqsdfghjklmwxcvbn",
    "1qaz2wsx3edc4rfv5tgb6yhn7ujm8ik9ol0p",
    "1q2w3e4r5t6y7u8i9o0p",
)


def is_common(password: str) -> bool:
    """The password is among those that attackers try first."""
    lowered = password.casefold()
    trimmed = lowered.strip("0123456789!?.,;:#*+-_ @$&%/()")
    if _is_repeated(lowered) or _is_run(lowered) or (len(trimmed) >= 6 and _is_run(trimmed)):
        return True
    for text in (trimmed, trimmed.translate(_DIGITS_FOR_LETTERS), "".join(char for char in lowered if char.isalpha())):
        if _made_of_words(text):
            return True
    # Only digits and signs: dates, telephone numbers.
    return not any(char.isalpha() for char in lowered)


def _is_repeated(text: str) -> bool:
    return any(text == (text[:size] * (len(text) // size + 1))[: len(text)] for size in range(1, 6))


def _is_run(text: str) -> bool:
    plain = "".join(char for char in text if char.isalnum())
    return any(plain in run or plain in run[::-1] or plain in run * 2 for run in _RUNS)


def _made_of_words(text: str) -> bool:
    """The text consists of words of the list and nothing else."""
    reachable = {0}
    for end in range(1, len(text) + 1):
        if any(text[start:end] in _WORDS for start in reachable):
            reachable.add(end)
    return bool(text) and len(text) in reachable
