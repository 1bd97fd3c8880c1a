"""What the database roles of the workers may do with each table. A test compares it with what PostgreSQL grants.

A worker holds what its tasks use and no more, so that one that is taken over can't widen rights, move hosts, waive findings, or see how
people sign in. Only the API inserts people, grants, groups, hosts, packs, plans, approvals and jobs; it may write every table but those
of `API_MAY_NOT`.

A right is `read`, `insert`, `update` or `delete`; with names of columns behind it, it holds for these columns only. A new table adds its
line here and the statements in its migration. PostgreSQL asks for a right to update at least one column before it locks a row.
"""

_PERSON = (
    "read(id,login,display_name,oidc_issuer,oidc_subject,oidc_groups,oidc_groups_at,is_disabled,must_set_password,rights_changed_at,"
    "time_zone,created_at,last_signed_in_at)"
)
_INSTALLATION = "read(id,name,rules_epoch,is_demo,created_at,setup_done_at,is_second_factor_required)"
_PROVIDER = "read(id,issuer,is_enabled)"
# Of a host, re-evaluation writes what the newest configuration and evaluation say; never its group, mode, state, hold, secret or name.
_EVALUATED_COLUMNS = (
    "state_version,rules_epoch,configuration_id,last_changed_at,os_name,os_release,cluster,families,initiator_modes,paths_healthy,"
    "paths_total,is_restart_pending,failed_sections,score,score_without_waivers,capped_by,rule_coverage,n_pass,n_fail,n_unknown,"
    "n_not_applicable,n_waived,n_excluded,n_guard_rail,worst_rule_no,failing,overrides"
)
# What a worker notes of an attempt on a host or a vCenter.
_ATTEMPT = "claimed_until,next_at,last_tried_at,last_ok_at,last_error,last_error_code,failures,shown_pin,look_error,shown_at"
_ALL = "read insert update delete"

# table -> (executor and isolated worker, background worker and scheduler)
WORKER_RIGHTS: dict[str, tuple[str, str]] = {
    "alembic_version": ("read", "read"),
    "api_token": ("", ""),
    "approval": ("read", "read"),
    "assessment": ("", ""),
    "assessment_host": ("", ""),
    "assessment_host_sections": ("", ""),
    "attestation": ("read", "read update(state,ended_at,ended_by,end_words,reminded_at)"),
    "audit_entry": ("read insert", "read insert update(number,hash)"),
    "audit_head": ("read", "read insert"),
    "baseline": ("", "read"),
    "baseline_host": ("", "read"),
    "benchmark_file": ("", ""),
    "benchmark_run": ("", "read"),
    "break_glass": ("read", "read"),
    "change_freeze": ("read", "read"),
    "change_mark": ("read", "read"),
    "check_in": ("read", "read"),
    "check_in_gap": ("", "read insert update(ended_at) delete"),
    "collection_endpoint": (
        f"read update(generation,last_seq,{_ATTEMPT})",
        "read",
    ),
    "compression_dictionary": ("read", "read insert"),
    "conflict_decision": ("read", "read"),
    "counter_day": ("read", "read insert update delete"),
    "counter_group_hour": ("", _ALL),
    "counter_hour": ("", _ALL),
    "counter_sample": ("read", "read"),
    "counter_series": ("read", "read"),
    "credential_check": ("read update", ""),
    "domain_budget": ("read", "read"),
    "domain_slot": ("read insert update", "read insert update"),
    "enrolment": ("", ""),
    "enrolment_token": ("", ""),
    "evidence_bundle": ("", "read update"),
    "evidence_file": ("", ""),
    "fabric_label": ("read", "read"),
    "failed_sign_in": ("", ""),
    "finding": ("read", _ALL),
    "finding_log": ("read", "read insert"),
    "fleet_day": ("read", "read insert update"),
    "fleet_event": ("read", "read insert"),
    "host": ("read update(overrides,state_version)", f"read update({_EVALUATED_COLUMNS})"),
    "host_baseline": ("", "read update"),
    "host_bundle": ("read", "read"),
    "host_combination": ("read", "read"),
    "host_count": ("read", "read insert update delete"),
    "host_count_delta": ("read", "read delete"),
    "host_configuration": ("read", "read insert delete"),
    "host_group": ("read", "read"),
    "host_login_attempt": ("read insert update", ""),
    "host_section": ("read", "read"),
    "host_summary": ("read", "read update(may_be_late)"),
    "host_watch": (
        "read insert(host_id,requested_by,job_id,seconds,end_words,readings)"
        " update(started_at,claimed_until,ended_at,end_words,readings,last_at,series)",
        "read update(ended_at,end_words) delete",
    ),
    "idempotent_response": ("", "read(made_at) delete"),
    "installation": (_INSTALLATION, f"{_INSTALLATION} update(rules_epoch,late_hosts_noted_at)"),
    "job": ("read update", "read update"),
    "job_event": ("read insert", "read insert"),
    "job_step": ("read insert update", "read update"),
    "maintenance_window": ("read", "read"),
    "marked_change": ("read", "read"),
    "notice": ("", "read insert delete"),
    "notice_channel": ("", "read update(ok_at,failing_since,last_words)"),
    "notice_cursor": ("", "read update"),
    "notice_delivery": ("", "read insert update delete"),
    "notice_state": ("", _ALL),
    "oidc_flow": ("", ""),
    "oidc_provider": (_PROVIDER, _PROVIDER),
    "pack_activation": ("read", "read update(grace_ended_at)"),
    "pack_draft": ("", "read"),
    "pack_version": ("read", "read"),
    "peer_answer": ("", _ALL),
    "peer_domain": ("", "read insert update"),
    "peer_domain_change": ("", _ALL),
    "peer_reevaluation": ("", _ALL),
    "person": (_PERSON, _PERSON),
    "plan": ("read update", "read update"),
    "plan_event": ("read insert", "read insert"),
    "prepared_part": ("", _ALL),
    "prepared_part_change": ("", "read delete"),
    "preview_run": ("", "read update"),
    "preview_run_host": ("", _ALL),
    "probe_run": ("read update", "read delete"),
    "problem_note": ("", "read"),
    "proof": ("", "read"),
    "proof_run": ("", ""),
    "recovery_code": ("", ""),
    "remediation_endpoint": ("read update(last_ok_at,last_error,runner_folder,runner_sha256,runner_installed_at)", "read"),
    "report": ("", "read insert update"),
    "report_file": ("", "read insert"),
    "report_mail": ("", "read insert update(state,tries,due_at,ended_at,words)"),
    "report_schedule": ("", "read update(is_enabled,off_words,next_due_at)"),
    "role_grant": ("read", "read"),
    "rollup": ("read", "read insert update"),
    "rollup_delta": ("read", "read insert delete"),
    "rule_number": ("read", "read"),
    "saved_view": ("", ""),
    "second_factor": ("", ""),
    "second_step": ("", ""),
    "section_body": ("read", "read delete"),
    "section_body_alias": ("read", "read delete"),
    "setting_change": ("read", "read insert"),
    "switch_port": ("", "read insert update delete"),
    "standing_approval": ("read", "read"),
    "stop_switch": ("read", "read"),
    "vault_secret": (
        "read update(account,kind,key_id,sealed,version,changed_at,stopped_at,stopped_reason)",
        "read(id,account,stopped_at,stopped_reason)",
    ),
    "vcenter": (
        f"read update(product,{_ATTEMPT})",
        "read",
    ),
    "ticket": ("", "read"),
    "vcenter_host": (_ALL, "read"),
    "waiver": ("read", "read update(state,ended_at,ended_by,end_words,reminded_at)"),
    "waiver_host": ("read", "read insert update(wires,tripped_at,words)"),
    "watch_reading": ("read insert", "read delete"),
    "web_session": ("", "read(ended_at,expires_at) delete"),
    "worker_heartbeat": ("read insert update", "read delete"),
}

# What the API may not do with a table; everything else it may.
API_MAY_NOT: dict[str, str] = {
    "alembic_version": "insert update delete",
    "audit_entry": "update delete",
    "audit_head": "insert update delete",
    "idempotent_response": "update",
    "job_event": "update delete",
    "notice": "update delete",
    "notice_channel": "delete",
    "notice_cursor": "read insert update delete",
    "notice_delivery": "update delete",
    "notice_state": "read insert update delete",
    "plan_event": "update delete",
    "report_mail": "delete",
    "report_schedule": "delete",
    "ticket": "update delete",
}
