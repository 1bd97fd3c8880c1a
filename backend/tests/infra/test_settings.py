"""Settings under their retired names still work, for one release."""

from plumbline.infra.settings import RETIRED_NAMES, RETIRED_ROLES, read_retired_settings


def test_a_setting_under_its_retired_name_is_read() -> None:
    environment = {retired: f"value of {retired}" for retired in RETIRED_NAMES}
    read_retired_settings(environment)
    assert environment["PLUMBLINE_EXECUTOR_PASSWORD"] == "value of PLUMBLINE_HANDS_PASSWORD"
    assert environment["PLUMBLINE_BACKGROUND_PASSWORD"] == "value of PLUMBLINE_DESK_PASSWORD"
    assert all(environment[name] == f"value of {retired}" for retired, name in RETIRED_NAMES.items())


def test_the_present_name_wins() -> None:
    environment = {"PLUMBLINE_HANDS_PASSWORD": "old", "PLUMBLINE_EXECUTOR_PASSWORD": "new"}
    read_retired_settings(environment)
    assert environment["PLUMBLINE_EXECUTOR_PASSWORD"] == "new"


def test_a_retired_role_in_the_database_url_is_corrected_and_nothing_else_of_it() -> None:
    for retired, role in RETIRED_ROLES.items():
        environment = {"PLUMBLINE_DATABASE_URL": f"postgresql+psycopg://{retired}:{retired}@db.example/plumbline"}
        read_retired_settings(environment)
        assert environment["PLUMBLINE_DATABASE_URL"] == f"postgresql+psycopg://{role}:{retired}@db.example/plumbline"


def test_an_environment_without_retired_names_stays_as_it_is() -> None:
    environment = {"PLUMBLINE_DATABASE_URL": "postgresql+psycopg://plumbline_api:x@db.example/plumbline", "PLUMBLINE_API_PASSWORD": "x"}
    before = dict(environment)
    read_retired_settings(environment)
    assert environment == before
