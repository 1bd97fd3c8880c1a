"""Workers lose the rights on tables that no task of theirs uses; recovery codes of 79 bits are marked; no waiver is in force unapproved.

What each role holds afterwards is in `models/worker_rights.py`. The purge deletes nothing of what is new here.
"""

import re

import sqlalchemy as sa
from alembic import op

revision = "0036"
down_revision = "0035"
branch_labels = None
depends_on = None

PERSON = (
    "read(id,login,display_name,oidc_issuer,oidc_subject,oidc_groups,oidc_groups_at,is_disabled,must_set_password,"
    "rights_changed_at,time_zone,created_at,last_signed_in_at)"
)
INSTALLATION = "read(id,name,rules_epoch,is_demo,created_at,setup_done_at,is_second_factor_required)"
EVALUATED = (
    "state_version,rules_epoch,configuration_id,last_changed_at,os_name,os_release,cluster,families,initiator_modes,"
    "paths_healthy,paths_total,is_restart_pending,failed_sections,score,score_without_waivers,capped_by,rule_coverage,n_pass,"
    "n_fail,n_unknown,n_not_applicable,n_waived,n_excluded,n_guard_rail,worst_rule_no,failing,overrides"
)
# (table, role, before, after); a right with columns behind it holds for these only.
RIGHTS = (
    ("api_token", "executor", "read", ""),
    ("api_token", "background", "read", ""),
    ("attestation", "background", "read insert update delete", "read update(state,ended_at,ended_by,end_words,reminded_at)"),
    ("check_in", "executor", "read insert update delete", "read"),
    ("check_in", "background", "read insert update delete", "read"),
    (
        "collection_endpoint",
        "executor",
        "read insert update delete",
        "read update(generation,claimed_until,next_at,last_tried_at,last_ok_at,last_error,failures,last_seq,shown_pin,look_error,shown_at)",
    ),
    ("collection_endpoint", "background", "read insert update delete", "read"),
    ("compression_dictionary", "executor", "read insert update delete", "read"),
    ("compression_dictionary", "background", "read insert update delete", "read insert"),
    ("counter_day", "executor", "read insert update delete", "read"),
    ("counter_sample", "executor", "read insert update delete", "read"),
    ("counter_sample", "background", "read insert update delete", "read"),
    ("counter_series", "executor", "read insert update delete", "read"),
    ("counter_series", "background", "read insert update delete", "read"),
    ("credential_check", "executor", "read insert update delete", "read update"),
    ("enrolment", "executor", "read insert update delete", ""),
    ("enrolment", "background", "read insert update delete", ""),
    ("enrolment_token", "executor", "read", ""),
    ("enrolment_token", "background", "read", ""),
    ("fabric_label", "executor", "read insert update delete", "read"),
    ("fabric_label", "background", "read insert update delete", "read"),
    ("failed_sign_in", "executor", "read insert update delete", ""),
    ("failed_sign_in", "background", "read insert update delete", ""),
    ("finding", "executor", "read insert update delete", "read"),
    ("finding_log", "executor", "read insert update delete", "read"),
    ("finding_log", "background", "read insert update delete", "read insert"),
    ("fleet_day", "executor", "read insert update delete", "read"),
    ("fleet_day", "background", "read insert update delete", "read insert update"),
    ("fleet_event", "executor", "read insert update delete", "read"),
    ("fleet_event", "background", "read insert update delete", "read insert"),
    ("host", "executor", "read insert update delete", "read update(overrides,state_version)"),
    ("host", "background", "read insert update delete", f"read update({EVALUATED})"),
    ("host_configuration", "executor", "read insert update delete", "read"),
    ("host_configuration", "background", "read insert update delete", "read insert delete"),
    ("host_group", "executor", "read insert update delete", "read"),
    ("host_group", "background", "read insert update delete", "read"),
    ("host_login_attempt", "executor", "read insert update delete", "read insert update"),
    ("host_section", "executor", "read insert update delete", "read"),
    ("host_section", "background", "read insert update delete", "read"),
    ("installation", "executor", "read insert update delete", INSTALLATION),
    ("installation", "background", "read insert update delete", f"{INSTALLATION} update(rules_epoch)"),
    ("notice", "background", "read insert update delete", "read insert delete"),
    ("pack_draft", "executor", "read", ""),
    ("peer_domain", "background", "read insert update delete", "read insert update"),
    ("person", "executor", "read", PERSON),
    ("person", "background", "read", PERSON),
    ("preview_run", "executor", "read", ""),
    ("preview_run", "background", "read insert update delete", "read update"),
    ("preview_run_host", "executor", "read", ""),
    ("report", "executor", "read insert update delete", ""),
    ("report", "background", "read insert update delete", "read update"),
    ("report_file", "executor", "read insert update delete", ""),
    ("report_file", "background", "read insert update delete", "read insert"),
    ("rollup", "executor", "read insert update delete", "read"),
    ("rollup", "background", "read insert update delete", "read insert update"),
    ("rollup_delta", "executor", "read insert update delete", "read"),
    ("rollup_delta", "background", "read insert update delete", "read insert delete"),
    ("saved_view", "executor", "read insert update delete", ""),
    ("saved_view", "background", "read insert update delete", ""),
    ("section_body", "executor", "read insert update delete", "read"),
    ("section_body", "background", "read insert update delete", "read delete"),
    ("section_body_alias", "executor", "read insert update delete", "read"),
    ("section_body_alias", "background", "read insert update delete", "read delete"),
    ("setting_change", "executor", "read insert update delete", "read"),
    ("setting_change", "background", "read insert update delete", "read insert"),
    (
        "vault_secret",
        "executor",
        "read insert update delete",
        "read update(account,kind,key_id,sealed,version,changed_at,stopped_at,stopped_reason)",
    ),
    (
        "vcenter",
        "executor",
        "read insert update delete",
        "read update(claimed_until,next_at,last_tried_at,last_ok_at,last_error,failures,product,shown_pin,look_error,shown_at)",
    ),
    ("waiver", "executor", "read insert update delete", "read"),
    ("waiver", "background", "read insert update delete", "read update(state,ended_at,ended_by,end_words,reminded_at)"),
    ("waiver_host", "executor", "read insert update delete", "read"),
    ("waiver_host", "background", "read insert update delete", "read insert update(wires,tripped_at,words)"),
    ("web_session", "executor", "read", ""),
    ("web_session", "background", "read delete", "read(ended_at,expires_at) delete"),
)
_SQL = {"read": "SELECT", "insert": "INSERT", "update": "UPDATE", "delete": "DELETE"}


def _hold(table: str, role: str, rights: str) -> None:
    """Has the role hold these rights on the table, and no others."""
    op.execute(f"REVOKE ALL ON {table} FROM plumbline_{role}")
    for right, columns in re.findall(r"(\w+)(?:\(([\w,]+)\))?", rights):
        op.execute(f"GRANT {_SQL[right]}{f' ({columns})' if columns else ''} ON {table} TO plumbline_{role}")


def upgrade() -> None:
    # Codes that were made before this are of the shorter kind.
    op.add_column("recovery_code", sa.Column("is_short", sa.Boolean(), server_default=sa.text("true"), nullable=False))
    op.alter_column("recovery_code", "is_short", server_default=sa.text("false"))
    op.execute("ALTER TABLE waiver ADD CONSTRAINT ck_waiver_active_is_approved CHECK (state <> 'active' OR approved_by IS NOT NULL)")
    for table, role, _, after in RIGHTS:
        _hold(table, role, after)


def downgrade() -> None:
    for table, role, before, _ in RIGHTS:
        _hold(table, role, before)
    op.execute("ALTER TABLE waiver DROP CONSTRAINT ck_waiver_active_is_approved")
    op.drop_column("recovery_code", "is_short")
