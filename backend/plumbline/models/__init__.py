"""Every table of the database, imported here so that migrations and tests see all of them; and which package writes which table."""

from sqlmodel import SQLModel

from plumbline.models import (  # noqa: F401
    assessments,
    audit,
    auth,
    baselines,
    check_ins,
    collection,
    configurations,
    controls,
    counters,
    evidence,
    findings,
    host_summaries,
    hosts,
    jobs,
    notify,
    oncall,
    packs,
    plans,
    prepared_parts,
    previews,
    proofs,
    reports,
    vault,
    watches,
)

METADATA = SQLModel.metadata

_TABLES_OF: dict[str, str] = {
    "audit": "audit_entry audit_head",
    "auth": "api_token failed_sign_in idempotent_response installation oidc_flow oidc_provider person recovery_code role_grant"
    " second_factor second_step web_session",
    "bundles": "assessment assessment_host assessment_host_sections host_bundle",
    "checkin": "check_in check_in_gap counter_sample counter_series host_configuration host_section section_body section_body_alias"
    " setting_change switch_port",
    "collection": "collection_endpoint credential_check host_login_attempt vcenter vcenter_host",
    "configurations": "compression_dictionary",
    "drift": "baseline baseline_host change_mark host_baseline marked_change prepared_part prepared_part_change",
    "evidence": "evidence_bundle",
    "evaluation": "finding finding_log peer_answer peer_domain peer_domain_change peer_reevaluation rollup rollup_delta",
    "fleet": "fleet_day saved_view",
    "hosts": "enrolment enrolment_token fabric_label host host_combination host_count host_count_delta host_group host_summary",
    "notify": "notice notice_channel notice_cursor notice_delivery notice_state ticket",
    "oncall": "problem_note",
    "packs": "conflict_decision fleet_event pack_activation pack_draft pack_version rule_number",
    "performance": "counter_day counter_group_hour counter_hour",
    "previews": "preview_run preview_run_host",
    "proofs": "benchmark_file benchmark_run proof proof_run",
    "remediation": "approval break_glass change_freeze domain_budget domain_slot job job_event job_step maintenance_window plan plan_event"
    " probe_run remediation_endpoint standing_approval stop_switch worker_heartbeat",
    "reports": "report report_file report_mail report_schedule",
    "vault": "vault_secret",
    "waivers": "attestation evidence_file waiver waiver_host",
    "watches": "host_watch watch_reading",
}
# Table -> the one package that inserts, updates and deletes its rows. Every package may read every table.
# tests/models/test_owners.py compares it with all writes of the program; exceptions, each with its reason, are listed there.
OWNER: dict[str, str] = {table: package for package, tables in _TABLES_OF.items() for table in tables.split()}
