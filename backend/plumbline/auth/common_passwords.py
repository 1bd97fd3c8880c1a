"""Passwords that are refused because they are guessed first: common words, their usual disguises and repetitions.

A password of at least 12 characters is common if, once lower-cased, undisguised (0 for o, 1 for i, ...) and stripped of digits and signs
at both ends, it is made only of these words, or if it is one short piece repeated, or a run along the keyboard or the alphabet.
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
_DISGUISES = str.maketrans({"0": "o", "1": "i", "3": "e", "4": "a", "5": "s", "7": "t", "8": "b", "@": "a", "$": "s", "!": "i", "€": "e"})
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
    """The password is among those that are guessed first."""
    lowered = password.casefold()
    ends = lowered.strip("0123456789!?.,;:#*+-_ @$&%/()")
    if _is_repeated(lowered) or _is_run(lowered) or (len(ends) >= 6 and _is_run(ends)):
        return True
    for text in (ends, ends.translate(_DISGUISES), "".join(char for char in lowered if char.isalpha())):
        if _made_of_words(text):
            return True
    # Nothing but digits and signs: dates, telephone numbers.
    return not any(char.isalpha() for char in lowered)


def _is_repeated(text: str) -> bool:
    return any(text == (text[:size] * (len(text) // size + 1))[: len(text)] for size in range(1, 6))


def _is_run(text: str) -> bool:
    plain = "".join(char for char in text if char.isalnum())
    return any(plain in run or plain in run[::-1] or plain in run * 2 for run in _RUNS)


def _made_of_words(text: str) -> bool:
    """The text is one word of the list after the other and nothing else."""
    reachable = {0}
    for end in range(1, len(text) + 1):
        if any(text[start:end] in _WORDS for start in reachable):
            reachable.add(end)
    return bool(text) and len(text) in reachable
