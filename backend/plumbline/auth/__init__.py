"""People, sessions, grants, and the one function that decides who may do what."""

from plumbline.auth.actor import Actor
from plumbline.auth.people import create_demo_people, create_person, make_setup_code
from plumbline.auth.rights import allow, require

__all__ = ["Actor", "allow", "create_demo_people", "create_person", "make_setup_code", "require"]
