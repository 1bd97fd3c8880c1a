"""The SQL of merging: what is known under an old id goes to the new one. Bound: host ids `old` and `new`, or a host's subjects."""

# A finding that fails on both has failed since it failed on the old host, if the rule requires the same.
KEEP_FAILING = """
UPDATE finding AS n SET failing_since = least(n.failing_since, o.failing_since), since = least(n.since, o.since)
FROM finding o
WHERE n.host_id = :new AND o.host_id = :old AND (o.rule_no, o.subject_kind, o.subject_id) = (n.rule_no, n.subject_kind, n.subject_id)
  AND o.outcome = 'fail' AND n.outcome = 'fail' AND o.expected_hash = n.expected_hash
"""
_NUMBERS = """
SELECT o.no AS old_no, n.no AS new_no FROM counter_series o
JOIN counter_series n ON n.host_id = :new AND (n.subject, n.name) = (o.subject, o.name) WHERE o.host_id = :old
"""
HOST_HISTORY = (
    "UPDATE setting_change SET host_id = :new WHERE host_id = :old",
    "UPDATE finding_log SET host_id = :new WHERE host_id = :old",
    "UPDATE host_configuration SET host_id = :new WHERE host_id = :old",
    "UPDATE check_in SET host_id = :new WHERE host_id = :old",
    "UPDATE check_in_gap SET host_id = :new, ended_at = coalesce(ended_at, clock_timestamp()) WHERE host_id = :old",
    # Bodies by content: those that both sent are one already, and nothing names the old host's any more.
    """
    UPDATE section_body AS o SET host_id = :new WHERE o.host_id = :old AND NOT EXISTS (
      SELECT FROM section_body n WHERE n.host_id = :new AND (n.section, n.sha256) = (o.section, o.sha256))
    """,
    "DELETE FROM host_section WHERE host_id = :old",
    "DELETE FROM switch_port WHERE host_id = :old",
    "DELETE FROM section_body_alias WHERE host_id = :old",
    "UPDATE waiver SET host_id = :new WHERE host_id = :old",
    """
    UPDATE waiver_host AS o SET host_id = :new WHERE o.host_id = :old AND NOT EXISTS (
      SELECT FROM waiver_host n WHERE n.host_id = :new AND n.waiver_id = o.waiver_id)
    """,
    "UPDATE attestation SET host_id = :new WHERE host_id = :old",
    # A file that both have stays with the old host: its runs would count twice.
    """
    UPDATE benchmark_file AS o SET host_id = :new WHERE o.host_id = :old AND NOT EXISTS (
      SELECT FROM benchmark_file n WHERE n.host_id = :new AND n.sha256 = o.sha256)
    """,
    "UPDATE benchmark_run AS r SET host_id = :new FROM benchmark_file f WHERE f.id = r.file_id AND f.host_id = :new AND r.host_id = :old",
    "UPDATE proof SET host_id = :new WHERE host_id = :old",
    "UPDATE host_watch SET host_id = :new, ended_at = coalesce(ended_at, clock_timestamp()) WHERE host_id = :old",
    """
    UPDATE fabric_label AS o SET host_id = :new WHERE o.host_id = :old AND NOT EXISTS (
      SELECT FROM fabric_label n WHERE n.host_id = :new AND n.adapter_id = o.adapter_id)
    """,
    # Counters: a series keeps its number on the host that lives on; one that only the old host had gets the next.
    """
    INSERT INTO counter_series (host_id, no, subject, name, kind)
    SELECT :new, (SELECT coalesce(max(no), -1) FROM counter_series WHERE host_id = :new) + row_number() OVER (ORDER BY o.no), o.subject,
           o.name, o.kind
    FROM counter_series o WHERE o.host_id = :old AND NOT EXISTS (
      SELECT FROM counter_series n WHERE n.host_id = :new AND (n.subject, n.name) = (o.subject, o.name))
    """,
    f"""
    UPDATE counter_day AS d SET host_id = :new, no = m.new_no FROM ({_NUMBERS}) AS m
    WHERE d.host_id = :old AND d.no = m.old_no AND NOT EXISTS (
      SELECT FROM counter_day n WHERE n.host_id = :new AND n.no = m.new_no AND n.day = d.day)
    """,  # noqa: S608 (our own text)
    f"""
    UPDATE counter_sample AS s SET host_id = :new, values = ARRAY(
      SELECT s.values[m.old_no + 1] FROM generate_series(0, (SELECT max(new_no) FROM ({_NUMBERS}) AS x)) AS g (no)
      LEFT JOIN ({_NUMBERS}) AS m ON m.new_no = g.no ORDER BY g.no)
    WHERE s.host_id = :old AND NOT EXISTS (SELECT FROM counter_sample n WHERE n.host_id = :new AND n.at = s.at)
    """,  # noqa: S608 (our own text)
    """
    UPDATE counter_hour AS c SET host_id = :new WHERE c.host_id = :old AND NOT EXISTS (
      SELECT FROM counter_hour n WHERE n.host_id = :new AND n.hour = c.hour)
    """,
)

# Since when the old subject had failed, where the new one fails under the same rule and the old one was gone while it failed.
SUBJECT_FAILING = """
UPDATE finding AS n SET failing_since = least(n.failing_since, o.began)
FROM (
  SELECT l.rule_no, max(l.at) FILTER (WHERE l.new = 'fail' AND l.old <> 'fail') AS began,
         (array_agg(l.new ORDER BY l.at DESC, l.id DESC))[1] AS last, (array_agg(l.old ORDER BY l.at DESC, l.id DESC))[1] AS was
  FROM finding_log l WHERE l.host_id = :host AND l.subject_kind = :kind AND l.subject_id = :old GROUP BY l.rule_no
) AS o
WHERE n.host_id = :host AND n.subject_kind = :kind AND n.subject_id = :new AND n.rule_no = o.rule_no AND n.outcome = 'fail'
  AND o.last = 'subject_gone' AND o.was = 'fail' AND o.began IS NOT NULL
"""
SUBJECT_HISTORY = (
    "UPDATE setting_change SET subject_id = :new WHERE host_id = :host AND subject_kind = :kind AND subject_id = :old",
    "UPDATE finding_log SET subject_id = :new WHERE host_id = :host AND subject_kind = :kind AND subject_id = :old",
    "UPDATE waiver SET subject_id = :new WHERE host_id = :host AND subject_kind = :kind AND subject_id = :old",
    """
    UPDATE waiver SET trip_wires = (
      SELECT coalesce(jsonb_object_agg(CASE WHEN starts_with(key, :old_prefix) THEN :new_prefix || substr(key, length(:old_prefix) + 1)
        ELSE key END, value), '{}') FROM jsonb_each(trip_wires))
    WHERE host_id = :host AND EXISTS (SELECT FROM jsonb_object_keys(trip_wires) AS k WHERE starts_with(k, :old_prefix))
    """,
    """
    UPDATE waiver_host SET wires = (
      SELECT coalesce(jsonb_object_agg(CASE WHEN starts_with(key, :old_prefix) THEN :new_prefix || substr(key, length(:old_prefix) + 1)
        ELSE key END, value), '{}') FROM jsonb_each(wires))
    WHERE host_id = :host AND EXISTS (SELECT FROM jsonb_object_keys(wires) AS k WHERE starts_with(k, :old_prefix))
    """,
    """
    UPDATE fabric_label AS o SET adapter_id = :new WHERE :kind = 'adapter' AND o.host_id = :host AND o.adapter_id = :old AND NOT EXISTS (
      SELECT FROM fabric_label n WHERE n.host_id = :host AND n.adapter_id = :new)
    """,
    # A day that only the old series has moves to the new one. A day that both have stays with each.
    """
    UPDATE counter_day AS d SET no = n.no FROM counter_series o JOIN counter_series n ON n.host_id = o.host_id AND n.name = o.name
    WHERE d.host_id = :host AND o.host_id = :host AND o.subject = :old_subject AND n.subject = :new_subject AND d.no = o.no
      AND NOT EXISTS (SELECT FROM counter_day x WHERE x.host_id = :host AND x.no = n.no AND x.day = d.day)
    """,
)

GONE = """
SELECT subject_kind, subject_id,
       max(old ->> 'value') FILTER (WHERE key = 'name' AND new IS NULL) AS name, max(received_at) AS gone_at
FROM setting_change WHERE host_id = :host AND subject_kind = ANY(:kinds) AND (new IS NULL OR new = 'null'::jsonb)
GROUP BY subject_kind, subject_id ORDER BY max(received_at) DESC LIMIT 50
"""
