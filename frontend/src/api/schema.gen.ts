// Generated from the API's OpenAPI document by `npm run client`. Never edited by hand.

export interface paths {
    "/agent/v1/files/{name}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Download Agent
         * @description One agent file, as it came with this version; its SHA-256 stands in the install command. It holds no secret.
         */
        get: operations["download_agent"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/audit": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List Audit
         * @description The audit trail, newest first.
         */
        get: operations["list_audit"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/collection/credentials": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List Credentials
         * @description Credentials for reading hosts, without the secrets.
         */
        get: operations["list_credentials"];
        put?: never;
        /**
         * Add Credential
         * @description Seals a new credential; it is never shown again.
         */
        post: operations["add_credential"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/collection/credentials/{credential_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        /**
         * Replace Credential
         * @description New values in the place of the old; a stopped credential is used again.
         */
        patch: operations["replace_credential"];
        trace?: never;
    };
    "/api/v1/collection/credentials/{credential_id}/stop": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Stop Credential
         * @description Nobody uses the credential until it is replaced.
         */
        post: operations["stop_credential"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/collection/credentials/{credential_id}/test": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Try Credential
         * @description Signs in to one host once; what came of it is read at `/collection/tests/{id}`.
         */
        post: operations["try_credential"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/collection/hosts": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List Collected Hosts
         * @description Hosts that Plumbline reads.
         */
        get: operations["list_collected_hosts"];
        put?: never;
        /**
         * Add Collected Host
         * @description Makes Plumbline the source of a host; a new one waits for approval.
         */
        post: operations["add_collected_host"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/collection/hosts/{host_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * Remove Collected Host
         * @description Plumbline no longer reads the host; its history stays.
         */
        delete: operations["remove_collected_host"];
        options?: never;
        head?: never;
        /**
         * Change Collected Host
         * @description Another address, port or credential.
         */
        patch: operations["change_collected_host"];
        trace?: never;
    };
    "/api/v1/collection/hosts/{host_id}/confirm": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Confirm Host Key
         * @description Pins the fingerprint that a person compared with the host's own console.
         */
        post: operations["confirm_host_key"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/collection/hosts/{host_id}/look": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Look At Host
         * @description Asks the host for its key or certificate; no credential is sent.
         */
        post: operations["look_at_host"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/collection/tests/{trial_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read Credential Trial
         * @description How a test of a credential stands.
         */
        get: operations["read_credential_trial"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/enrolment/tokens": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List Enrolment Tokens
         * @description Tokens, newest first, without the tokens themselves.
         */
        get: operations["list_enrolment_tokens"];
        put?: never;
        /**
         * Make Enrolment Token
         * @description Makes a token; it is shown this once.
         */
        post: operations["make_enrolment_token"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/enrolment/tokens/{token_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * Revoke Enrolment Token
         * @description Ends a token; hosts that enrolled with it stay.
         */
        delete: operations["revoke_enrolment_token"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/enrolment/waiting": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List Waiting Hosts
         * @description Hosts that enrolled and wait for approval.
         */
        get: operations["list_waiting_hosts"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/events": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Follow Events
         * @description `host` {id} for each host that checked in, `fleet` {as_of} when anything changed or the stream cannot be resumed.
         */
        get: operations["follow_events"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/grants": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Give Grant
         * @description Gives a person a role on a group and all below it.
         */
        post: operations["give_grant"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/grants/{grant_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * Take Grant
         * @description Takes a grant away.
         */
        delete: operations["take_grant"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/groups": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List Groups
         * @description The groups this person may read, parents before children.
         */
        get: operations["list_groups"];
        put?: never;
        /**
         * Create Group
         * @description A new group below another.
         */
        post: operations["create_group"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/groups/{group_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        /**
         * Change Group
         * @description Renames a group, moves it, or sets its mode.
         */
        patch: operations["change_group"];
        trace?: never;
    };
    "/api/v1/hosts": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List Hosts
         * @description One page of the hosts that match.
         */
        get: operations["list_hosts"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/hosts/facets": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List Host Facets
         * @description The values of each facet with their counts under the other filters.
         */
        get: operations["list_host_facets"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/hosts/{host_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read Host
         * @description One host.
         */
        get: operations["read_host"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        /**
         * Change Host
         * @description Moves a host, tags it, or sets its mode and the roles of its adapters.
         */
        patch: operations["change_host"];
        trace?: never;
    };
    "/api/v1/hosts/{host_id}/approve": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Approve Host
         * @description Approves a waiting host.
         */
        post: operations["approve_host"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/hosts/{host_id}/changes": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List Host Changes
         * @description Changes of the host's settings, newest first.
         */
        get: operations["list_host_changes"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/hosts/{host_id}/check-now": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Check Host Now
         * @description Asks for a fresh check-in of the host.
         */
        post: operations["check_host_now"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/hosts/{host_id}/collection": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read Host Collection
         * @description How the host comes to be read, and how the last try went.
         */
        get: operations["read_host_collection"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/hosts/{host_id}/counters": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read Host Counters
         * @description Counters over a range; `series` is a comma-separated list of ids, a sensible pick where it is empty.
         */
        get: operations["read_host_counters"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/hosts/{host_id}/findings": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List Host Findings
         * @description What every rule says of the host, failing first.
         */
        get: operations["list_host_findings"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/hosts/{host_id}/paths": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read Host Paths
         * @description The path map, and what a restart of each adapter would leave.
         */
        get: operations["read_host_paths"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/hosts/{host_id}/retire": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Retire Host
         * @description Takes a host out of the fleet.
         */
        post: operations["retire_host"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/hosts/{host_id}/score": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read Host Score
         * @description The host's score taken apart to the rules that made it.
         */
        get: operations["read_host_score"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/hosts/{host_id}/settings": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List Host Settings
         * @description Every setting of the host's newest configuration.
         */
        get: operations["list_host_settings"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/overview": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read Overview
         * @description The fleet at one look: a group and all below it, compared with `days` days ago.
         */
        get: operations["read_overview"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/people": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List People
         * @description Everybody with an account.
         */
        get: operations["list_people"];
        put?: never;
        /**
         * Create Person
         * @description A new local account.
         */
        post: operations["create_person"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/people/{person_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        /**
         * Change Person
         * @description Changes an account.
         */
        patch: operations["change_person"];
        trace?: never;
    };
    "/api/v1/reports": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List Reports
         * @description The newest 200 reports about groups this person may read.
         */
        get: operations["list_reports"];
        put?: never;
        /**
         * Request Report
         * @description Asks for a report; it is made in the background and its state says when it is ready.
         */
        post: operations["request_report"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/reports/{report_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read Report
         * @description One report with its frozen figures.
         */
        get: operations["read_report"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/reports/{report_id}/files/{format}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Download Report
         * @description One rendered format. Each download is an act in the audit trail.
         */
        get: operations["download_report"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/rules": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List Rules
         * @description The rules of the active packs with their hosts by outcome.
         */
        get: operations["list_rules"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/rules/{pack}/{rule}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read Rule
         * @description One rule, whole.
         */
        get: operations["read_rule"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/rules/{pack}/{rule}/hosts": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List Rule Hosts
         * @description What the rule says of each subject it judged.
         */
        get: operations["list_rule_hosts"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/search": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Search All
         * @description Hosts, rules, saved views and actions whose name holds the words.
         */
        get: operations["search_all"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/session": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read Session
         * @description Who is signed in, with which roles.
         */
        get: operations["read_session"];
        put?: never;
        /**
         * Start Session
         * @description Signs in. At most ten tries an account in 15 minutes.
         */
        post: operations["start_session"];
        /**
         * End Session
         * @description Signs out, on the server too.
         */
        delete: operations["end_session"];
        options?: never;
        head?: never;
        /**
         * Change Session
         * @description Sets the person's time zone.
         */
        patch: operations["change_session"];
        trace?: never;
    };
    "/api/v1/session/reauthenticate": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Reauthenticate
         * @description The password again, before an act that asks for it.
         */
        post: operations["reauthenticate"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/setup": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read Setup
         * @description Whether the first admin has still to be made.
         */
        get: operations["read_setup"];
        put?: never;
        /**
         * Finish Setup
         * @description Makes the first admin with the one-time code from the console, and signs in.
         */
        post: operations["finish_setup"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/views": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List Views
         * @description One's own saved views and the shared ones.
         */
        get: operations["list_views"];
        put?: never;
        /**
         * Create View
         * @description Keeps a page with its filters under a name.
         */
        post: operations["create_view"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/views/{view_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * Delete View
         * @description Deletes one's own saved view.
         */
        delete: operations["delete_view"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/healthz": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read Health
         * @description 503 while the database does not answer.
         */
        get: operations["read_health"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/metrics": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read Metrics
         * @description The fleet's figures in Prometheus' text format.
         */
        get: operations["read_metrics"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
}
export type webhooks = Record<string, never>;
export interface components {
    schemas: {
        /**
         * AppliesClause
         * @description One clause of where a rule applies; `else` is what hosts outside it read.
         */
        AppliesClause: {
            /** Else */
            else: string;
            /** Words */
            words: string;
        };
        /**
         * AuditPage
         * @description One page of the audit trail, newest first.
         */
        AuditPage: {
            /** Items */
            items: components["schemas"]["AuditRow"][];
            /** Next */
            next: string | null;
        };
        /**
         * AuditRow
         * @description One act. `number` and `is_chained` come with the chainer, within a second.
         */
        AuditRow: {
            /** Action */
            action: string;
            /** Actor */
            actor: string;
            /** After */
            after: unknown;
            /**
             * At
             * Format: date-time
             */
            at: string;
            /** Before */
            before: unknown;
            /** Group Name */
            group_name: string;
            /** Id */
            id: number;
            /** Is Chained */
            is_chained: boolean;
            /** Number */
            number: number | null;
            /** Object Id */
            object_id: string;
            /** Object Kind */
            object_kind: string;
            /** Reason */
            reason: string;
            /** Request Id */
            request_id: string;
        };
        /**
         * Change
         * @description One setting that changed. `old` and `new` in words; an en dash where there was nothing.
         */
        Change: {
            /**
             * At
             * Format: date-time
             */
            at: string;
            /** Cause */
            cause: string;
            /** Cause Detail */
            cause_detail: string;
            /** Id */
            id: number;
            /** Key */
            key: string;
            /** Label */
            label: string;
            /** New */
            new: string;
            /** Old */
            old: string;
            /** Seq */
            seq: number;
            subject: components["schemas"]["SubjectShape"];
        };
        /**
         * ChangePage
         * @description Changes of one host, newest first.
         */
        ChangePage: {
            /** Items */
            items: components["schemas"]["Change"][];
            /** Next */
            next: string | null;
        };
        /**
         * CollectedHost
         * @description A host that Plumbline reads, and how that goes.
         */
        CollectedHost: {
            /** Account */
            account: string;
            /** Address */
            address: string;
            /**
             * Channel
             * @enum {string}
             */
            channel: "ssh" | "winrm";
            /** Confirmed At */
            confirmed_at: string | null;
            /** Confirmed By */
            confirmed_by: string;
            /** Credential Id */
            credential_id: number;
            /** Credential Name */
            credential_name: string;
            /** Failures */
            failures: number;
            /** Group Id */
            group_id: number;
            /** Group Name */
            group_name: string;
            /** Host Id */
            host_id: string;
            /** Is Ca Trusted */
            is_ca_trusted: boolean;
            /** Is Running */
            is_running: boolean;
            /** Last Error */
            last_error: string;
            /** Last Ok At */
            last_ok_at: string | null;
            /** Last Tried At */
            last_tried_at: string | null;
            /** Look Error */
            look_error: string;
            /** Name */
            name: string;
            /**
             * Next At
             * Format: date-time
             */
            next_at: string;
            /** Pins */
            pins: string[];
            /**
             * Platform
             * @enum {string}
             */
            platform: "windows" | "esxi";
            /** Port */
            port: number;
            /** Shown At */
            shown_at: string | null;
            /** Shown Pin */
            shown_pin: string;
            /** State */
            state: string;
        };
        /**
         * CollectedHostCreate
         * @description A host to be read by Plumbline: a new one by name, or one that ran an agent of its own by its id.
         */
        CollectedHostCreate: {
            /** Address */
            address: string;
            /**
             * Ca Certificate
             * @default
             */
            ca_certificate?: string;
            /** Credential Id */
            credential_id: number;
            /** Group Id */
            group_id?: number | null;
            /** Host Id */
            host_id?: string | null;
            /** Name */
            name?: string | null;
            /**
             * Platform
             * @enum {string}
             */
            platform: "windows" | "esxi";
            /** Port */
            port?: number | null;
        };
        /**
         * CollectedHostUpdate
         * @description Changes where a host is read, or with what.
         */
        CollectedHostUpdate: {
            /** Address */
            address?: string | null;
            /** Credential Id */
            credential_id?: number | null;
            /** Port */
            port?: number | null;
        };
        /**
         * CounterLine
         * @description One series: [milliseconds since 1970, value or null where nothing is known].
         */
        CounterLine: {
            /** Id */
            id: string;
            /** Label */
            label: string;
            /** Name */
            name: string;
            /** Points */
            points: [
                number,
                number | null
            ][];
            /** Subject */
            subject: string;
            /** Unit */
            unit: string;
        };
        /**
         * CounterMark
         * @description Something that happened to the host: a setting change, a restart.
         */
        CounterMark: {
            /**
             * At
             * Format: date-time
             */
            at: string;
            /** Kind */
            kind: string;
            /** Label */
            label: string;
        };
        /**
         * Counts
         * @description Hosts, or subjects, by the word shown.
         */
        Counts: {
            /**
             * Advice
             * @default 0
             */
            advice?: number;
            /**
             * Excluded
             * @default 0
             */
            excluded?: number;
            /**
             * Fail
             * @default 0
             */
            fail?: number;
            /**
             * Not Applicable
             * @default 0
             */
            not_applicable?: number;
            /**
             * Pass
             * @default 0
             */
            pass?: number;
            /**
             * Unknown
             * @default 0
             */
            unknown?: number;
            /**
             * Waived
             * @default 0
             */
            waived?: number;
        };
        /**
         * CredentialCreate
         * @description A new credential for reading hosts of a group and of the groups below it.
         */
        CredentialCreate: {
            /**
             * Account
             * @default
             */
            account?: string;
            /**
             * Certificate
             * @default
             */
            certificate?: string;
            /** Group Id */
            group_id: number;
            /**
             * Kind
             * @enum {string}
             */
            kind: "ssh_key" | "ssh_password" | "certificate" | "kerberos" | "ntlm";
            /** Name */
            name: string;
            /**
             * Password
             * @default
             */
            password?: string;
            /**
             * Private Key
             * @default
             */
            private_key?: string;
        };
        /**
         * CredentialReplace
         * @description New values of the same kind; the old ones are gone. A stopped credential is used again.
         */
        CredentialReplace: {
            /** Account */
            account?: string | null;
            /**
             * Certificate
             * @default
             */
            certificate?: string;
            /**
             * Password
             * @default
             */
            password?: string;
            /**
             * Private Key
             * @default
             */
            private_key?: string;
        };
        /**
         * CredentialRow
         * @description What people may see of a credential: never the secret.
         */
        CredentialRow: {
            /** Account */
            account: string;
            /**
             * Changed At
             * Format: date-time
             */
            changed_at: string;
            /** Created By */
            created_by: string;
            /** Group Id */
            group_id: number;
            /** Group Name */
            group_name: string;
            /** Hosts */
            hosts: number;
            /** Id */
            id: number;
            /** Kind */
            kind: string;
            last_trial?: components["schemas"]["Trial"] | null;
            /** Name */
            name: string;
            /** Stopped At */
            stopped_at: string | null;
            /** Stopped Reason */
            stopped_reason: string;
            /** Version */
            version: number;
        };
        /**
         * CredentialStop
         * @description Why nobody may use the credential any more.
         */
        CredentialStop: {
            /** Reason */
            reason: string;
        };
        /**
         * CredentialTest
         * @description The host to sign in to; its key or certificate has to be confirmed.
         */
        CredentialTest: {
            /** Host Id */
            host_id: string;
        };
        /**
         * DriftMarks
         * @description The four clocks: against the standard, the accepted baseline, the peers, and running against persisted.
         */
        DriftMarks: {
            /**
             * Baseline
             * @enum {string}
             */
            baseline: "none" | "drift" | "unknown";
            /**
             * Peers
             * @enum {string}
             */
            peers: "none" | "drift" | "unknown";
            /**
             * Persisted
             * @enum {string}
             */
            persisted: "none" | "drift" | "unknown";
            /**
             * Standard
             * @enum {string}
             */
            standard: "none" | "drift" | "unknown";
        };
        /**
         * EnrolmentTokenCreate
         * @description A new token. `name_pattern` is a shell pattern the host's name must match; `host_id` re-enrols that host and nothing else.
         */
        EnrolmentTokenCreate: {
            /**
             * Expires Hours
             * @default 24
             */
            expires_hours?: number;
            /** Group Id */
            group_id: number;
            /** Host Id */
            host_id?: string | null;
            /**
             * Is Auto Approved
             * @default false
             */
            is_auto_approved?: boolean;
            /** Name */
            name: string;
            /**
             * Name Pattern
             * @default
             */
            name_pattern?: string;
            /**
             * Platform
             * @enum {string}
             */
            platform: "windows" | "esxi";
            /**
             * Uses
             * @default 1
             */
            uses?: number;
        };
        /**
         * EnrolmentTokenMade
         * @description The token, shown this once.
         */
        EnrolmentTokenMade: {
            /** Commands */
            commands: components["schemas"]["InstallCommand"][];
            /**
             * Expires At
             * Format: date-time
             */
            expires_at: string;
            /** Id */
            id: number;
            /** Token */
            token: string;
        };
        /**
         * EnrolmentTokenRow
         * @description A token, without the token itself.
         */
        EnrolmentTokenRow: {
            /**
             * Created At
             * Format: date-time
             */
            created_at: string;
            /**
             * Expires At
             * Format: date-time
             */
            expires_at: string;
            /** Group Id */
            group_id: number;
            /** Group Name */
            group_name: string;
            /** Host Id */
            host_id: string | null;
            /** Id */
            id: number;
            /** Is Auto Approved */
            is_auto_approved: boolean;
            /** Name */
            name: string;
            /** Name Pattern */
            name_pattern: string;
            /** Revoked At */
            revoked_at: string | null;
            /** Uses Left */
            uses_left: number;
        };
        /**
         * EvidenceShape
         * @description One place in one paper and what was seen there. `percent` or `from`/`to` only where the paper's text prints the figure.
         */
        EvidenceShape: {
            /** At */
            at: string;
            /** Band */
            band: string;
            /** Condition */
            condition: string;
            /** Edition */
            edition: string;
            /** From */
            from: number | null;
            /** Metric */
            metric: string;
            /** Note */
            note: string;
            /** Paper */
            paper: string;
            /** Percent */
            percent: number | null;
            /** Says */
            says: string;
            /** Strength */
            strength: string;
            /** To */
            to: number | null;
            /** Workload */
            workload: string;
        };
        /**
         * Facet
         * @description One facet; its own filter does not narrow its values.
         */
        Facet: {
            /** Label */
            label: string;
            /** Name */
            name: string;
            /** Values */
            values: components["schemas"]["FacetValue"][];
        };
        /**
         * FacetValue
         * @description One value of a facet with the hosts that have it under the other filters.
         */
        FacetValue: {
            /** Count */
            count: number;
            /** Label */
            label: string;
            /** Value */
            value: string;
        };
        /**
         * FailingRule
         * @description A rule and on how many hosts it fails.
         */
        FailingRule: {
            /** Effect */
            effect: string;
            /** Hosts */
            hosts: number;
            /** Kind */
            kind: string;
            /** Pack */
            pack: string;
            /** Rule */
            rule: string;
            /** Rule No */
            rule_no: number;
            /** Subjects */
            subjects: number;
            /** Title */
            title: string;
        };
        /**
         * Finding
         * @description What one rule says of one subject. `outcome` is what is so, `standing` the word shown.
         */
        Finding: {
            /**
             * Area
             * @enum {string}
             */
            area: "adapter" | "tcp" | "iscsi" | "mpio" | "qos" | "paths" | "host";
            /** Effect */
            effect: string;
            /** Evidence */
            evidence: components["schemas"]["EvidenceShape"][];
            /** Excluded By */
            excluded_by: string;
            /** Expected */
            expected: string;
            /** Failing Since */
            failing_since: string | null;
            /** Fix */
            fix: components["schemas"]["FixLine"][];
            /** Impact */
            impact: string;
            /** Kind */
            kind: string;
            /** Manual */
            manual: string[];
            /** Observed */
            observed: string;
            /**
             * Outcome
             * @enum {string}
             */
            outcome: "pass" | "fail" | "not_applicable" | "unknown";
            /** Pack */
            pack: string;
            /** Pack Version */
            pack_version: string;
            peers: components["schemas"]["Peers"] | null;
            /** Reason */
            reason: string;
            /** Rule */
            rule: string;
            /** Rule No */
            rule_no: number;
            /** Same As */
            same_as: string[];
            /**
             * Severity
             * @enum {string}
             */
            severity: "critical" | "high" | "medium" | "low" | "none";
            /**
             * Since
             * Format: date-time
             */
            since: string;
            source: components["schemas"]["FindingSource"] | null;
            /**
             * Standing
             * @enum {string}
             */
            standing: "pass" | "fail" | "unknown" | "not_applicable" | "waived" | "excluded" | "advice";
            subject: components["schemas"]["SubjectShape"];
            /** Tested Value */
            tested_value: string;
            /** Title */
            title: string;
            waiver: components["schemas"]["WaiverShape"] | null;
            was: components["schemas"]["Was"] | null;
            /** Why */
            why: string;
        };
        /**
         * FindingSource
         * @description How the decisive value was read.
         */
        FindingSource: {
            /** Command */
            command: string;
            /** Field */
            field: string;
            /** Raw */
            raw: string;
            /** Read At */
            read_at: string | null;
            /** Section */
            section: string;
            /** Sha256 */
            sha256: string | null;
        };
        /**
         * FingerprintConfirm
         * @description The fingerprint as a person read it: `SHA256:…` of an SSH key, or the SHA-256 of a certificate in hex.
         */
        FingerprintConfirm: {
            /** Fingerprint */
            fingerprint: string;
        };
        /**
         * FixLine
         * @description One setting that a step would write; `to` in words.
         */
        FixLine: {
            /** Label */
            label: string;
            /** Setting */
            setting: string;
            /** To */
            to: string;
        };
        /**
         * FleetEventShape
         * @description A mark on the trend.
         */
        FleetEventShape: {
            /**
             * At
             * Format: date-time
             */
            at: string;
            /** Kind */
            kind: string;
            /** Label */
            label: string;
        };
        /**
         * FleetScore
         * @description The fleet's score: the mean over scored hosts, never without median, worst five and both coverages.
         */
        FleetScore: {
            /** Change */
            change: number | null;
            /** Hosts Fresh */
            hosts_fresh: number;
            /** Hosts Known */
            hosts_known: number;
            /** Hosts Scored */
            hosts_scored: number;
            /** Mean */
            mean: number | null;
            /** Median */
            median: number | null;
            /** Rule Coverage */
            rule_coverage: number | null;
            /** Worst */
            worst: components["schemas"]["ScoredHost"][];
        };
        /**
         * GrantCreate
         * @description Gives a person a role on a group.
         */
        GrantCreate: {
            /** Group Id */
            group_id: number;
            /** Person Id */
            person_id: number;
            /**
             * Role
             * @enum {string}
             */
            role: "viewer" | "operator" | "approver" | "admin";
        };
        /**
         * Group
         * @description One group of the tree. `mode` None inherits; `mode_effective` is what holds. `hosts` counts the group and all below it.
         */
        Group: {
            /** Hosts */
            hosts: number;
            /** Id */
            id: number;
            /** Mode */
            mode: ("observe" | "remediate") | null;
            /**
             * Mode Effective
             * @enum {string}
             */
            mode_effective: "observe" | "remediate";
            /** Name */
            name: string;
            /** Parent Id */
            parent_id: number | null;
            /** Path */
            path: string;
        };
        /**
         * GroupCreate
         * @description A new group below another.
         */
        GroupCreate: {
            /** Name */
            name: string;
            /** Parent Id */
            parent_id: number;
        };
        /**
         * GroupUpdate
         * @description Only the fields that are sent are changed; `mode` null makes the group inherit.
         */
        GroupUpdate: {
            /** Mode */
            mode?: ("observe" | "remediate") | null;
            /** Name */
            name?: string | null;
            /** Parent Id */
            parent_id?: number | null;
        };
        /**
         * Headline
         * @description The figures of the one sentence.
         */
        Headline: {
            /** Decisions */
            decisions: number;
            /** Hosts */
            hosts: number;
            /** Silent */
            silent: number;
            /** Waivers Ending */
            waivers_ending: number;
            /** Worse */
            worse: number;
        };
        /**
         * Health
         * @description `status` is `ok` while the database answers; without Redis work waits, but nothing is lost.
         */
        Health: {
            /**
             * Database
             * @enum {string}
             */
            database: "ok" | "away";
            /**
             * Redis
             * @enum {string}
             */
            redis: "ok" | "away";
            /**
             * Status
             * @enum {string}
             */
            status: "ok" | "away";
            /** Version */
            version: string;
        };
        /**
         * Hold
         * @description A person keeps jobs and notices off this host until then.
         */
        Hold: {
            /** By */
            by: string;
            /** Reason */
            reason: string;
            /** Until */
            until: string | null;
        };
        /**
         * HostApprove
         * @description Approves a waiting host, into another group if one is given.
         */
        HostApprove: {
            /** Group Id */
            group_id?: number | null;
        };
        /**
         * HostCollection
         * @description How a host comes to be read, for its own page.
         */
        HostCollection: {
            /**
             * Address
             * @default
             */
            address?: string;
            /** Channel */
            channel?: ("ssh" | "winrm") | null;
            /**
             * Is Running
             * @default false
             */
            is_running?: boolean;
            /**
             * Last Error
             * @default
             */
            last_error?: string;
            /** Last Ok At */
            last_ok_at?: string | null;
            /** Last Tried At */
            last_tried_at?: string | null;
            /** Next At */
            next_at?: string | null;
            /** Port */
            port?: number | null;
            /**
             * Source
             * @enum {string}
             */
            source: "agent" | "collector";
            /** Words */
            words: string;
        };
        /**
         * HostCounters
         * @description Counters of one host; at most 1,000 points a series, `is_downsampled` says when there were more.
         */
        HostCounters: {
            /** Available */
            available: components["schemas"]["SeriesChoice"][];
            /**
             * From
             * Format: date-time
             */
            from: string;
            /** Is Downsampled */
            is_downsampled: boolean;
            /** Markers */
            markers: components["schemas"]["CounterMark"][];
            /** Series */
            series: components["schemas"]["CounterLine"][];
            /**
             * To
             * Format: date-time
             */
            to: string;
        };
        /**
         * HostDetail
         * @description One host, whole.
         */
        HostDetail: {
            /** Adapters Line */
            adapters_line: string;
            /** Agent Version */
            agent_version: string;
            /** Alarm */
            alarm: string;
            /** Approved At */
            approved_at: string | null;
            /** Capped By */
            capped_by: string;
            /** Cause Of Cap */
            cause_of_cap: string;
            /** Changed 24H */
            changed_24h: boolean;
            /** Cluster */
            cluster: string;
            drift: components["schemas"]["DriftMarks"];
            /**
             * Enrolled At
             * Format: date-time
             */
            enrolled_at: string;
            /** Failed Sections */
            failed_sections: string[];
            /** Families */
            families: string[];
            /**
             * Freshness
             * @enum {string}
             */
            freshness: "fresh" | "late" | "silent" | "never";
            /** Group Id */
            group_id: number;
            /** Group Name */
            group_name: string;
            hold: components["schemas"]["Hold"] | null;
            /** Id */
            id: string;
            /** Initiator Modes */
            initiator_modes: string[];
            /** Interval Seconds */
            interval_seconds: number;
            /** Is Lab */
            is_lab: boolean;
            /** Is Restart Pending */
            is_restart_pending: boolean;
            /** Last Seen At */
            last_seen_at: string | null;
            /** Manufacturer */
            manufacturer: string;
            /**
             * Mode Effective
             * @enum {string}
             */
            mode_effective: "observe" | "remediate";
            /** Model */
            model: string;
            /** N Excluded */
            n_excluded: number;
            /** N Fail */
            n_fail: number;
            /** N Guard Rail */
            n_guard_rail: number;
            /** N Not Applicable */
            n_not_applicable: number;
            /** N Pass */
            n_pass: number;
            /** N Unknown */
            n_unknown: number;
            /** N Waived */
            n_waived: number;
            /** Name */
            name: string;
            /** Os Build */
            os_build: string;
            /** Os Name */
            os_name: string;
            /** Os Release */
            os_release: string;
            /** Os Version */
            os_version: string;
            /** Overrides */
            overrides: {
                [key: string]: string;
            };
            /** Path Problem */
            path_problem: string;
            /** Paths Healthy */
            paths_healthy: number | null;
            /** Paths Total */
            paths_total: number | null;
            /** Platform */
            platform: string;
            /** Problems */
            problems: string[];
            /** Rule Coverage */
            rule_coverage: number | null;
            /** Score */
            score: number | null;
            /** Sections */
            sections: components["schemas"]["SectionState"][];
            /** Skew Seconds */
            skew_seconds: number | null;
            /** Source */
            source: string;
            /** State */
            state: string;
            /** Tags */
            tags: string[];
            /** Why */
            why: components["schemas"]["PointsLost"][];
            worst: components["schemas"]["WorstRule"] | null;
        };
        /**
         * HostFacets
         * @description All facets under the present filters.
         */
        HostFacets: {
            /** Facets */
            facets: components["schemas"]["Facet"][];
            /** Total */
            total: number;
        };
        /**
         * HostFindings
         * @description All findings of one host, failing first.
         */
        HostFindings: {
            /** As Of */
            as_of: string | null;
            /** Items */
            items: components["schemas"]["Finding"][];
        };
        /**
         * HostPage
         * @description One page of hosts. `next` goes into `after`; `total` counts all that match.
         */
        HostPage: {
            /**
             * As Of
             * Format: date-time
             */
            as_of: string;
            /** Items */
            items: components["schemas"]["HostRow"][];
            /** Next */
            next: string | null;
            /** Total */
            total: number;
        };
        /**
         * HostPaths
         * @description The path map. `problem` is empty where every witness agrees.
         */
        HostPaths: {
            /** Adapters */
            adapters: components["schemas"]["PathAdapter"][];
            /** Paths */
            paths: components["schemas"]["PathRow"][];
            /** Portals */
            portals: components["schemas"]["PathPortal"][];
            /** Problem */
            problem: string;
            /** Volumes */
            volumes: components["schemas"]["PathVolume"][];
            /** Without */
            without: components["schemas"]["WithoutAdapter"][];
        };
        /**
         * HostRetire
         * @description Takes a host out of the fleet; the reason is kept in the audit trail.
         */
        HostRetire: {
            /** Reason */
            reason: string;
        };
        /**
         * HostRow
         * @description A host as lists show it.
         */
        HostRow: {
            /** Agent Version */
            agent_version: string;
            /** Alarm */
            alarm: string;
            /** Capped By */
            capped_by: string;
            /** Changed 24H */
            changed_24h: boolean;
            /** Cluster */
            cluster: string;
            drift: components["schemas"]["DriftMarks"];
            /** Failed Sections */
            failed_sections: string[];
            /** Families */
            families: string[];
            /**
             * Freshness
             * @enum {string}
             */
            freshness: "fresh" | "late" | "silent" | "never";
            /** Group Id */
            group_id: number;
            /** Group Name */
            group_name: string;
            /** Id */
            id: string;
            /** Initiator Modes */
            initiator_modes: string[];
            /** Is Lab */
            is_lab: boolean;
            /** Is Restart Pending */
            is_restart_pending: boolean;
            /** Last Seen At */
            last_seen_at: string | null;
            /**
             * Mode Effective
             * @enum {string}
             */
            mode_effective: "observe" | "remediate";
            /** N Excluded */
            n_excluded: number;
            /** N Fail */
            n_fail: number;
            /** N Guard Rail */
            n_guard_rail: number;
            /** N Not Applicable */
            n_not_applicable: number;
            /** N Pass */
            n_pass: number;
            /** N Unknown */
            n_unknown: number;
            /** N Waived */
            n_waived: number;
            /** Name */
            name: string;
            /** Os Name */
            os_name: string;
            /** Os Release */
            os_release: string;
            /** Paths Healthy */
            paths_healthy: number | null;
            /** Paths Total */
            paths_total: number | null;
            /** Platform */
            platform: string;
            /** Rule Coverage */
            rule_coverage: number | null;
            /** Score */
            score: number | null;
            /** State */
            state: string;
            worst: components["schemas"]["WorstRule"] | null;
        };
        /**
         * HostScore
         * @description The score taken apart. `count_based` is what plain counting of passing findings would say, 0 to 100.
         */
        HostScore: {
            /** Capped By */
            capped_by: string;
            /** Caps */
            caps: components["schemas"]["ScoreCap"][];
            /** Count Based */
            count_based: number | null;
            /** Rule Coverage */
            rule_coverage: number | null;
            /** Rules */
            rules: components["schemas"]["ScoreRule"][];
            /** Score */
            score: number | null;
            /** Without Waivers */
            without_waivers: number | null;
        };
        /**
         * HostSetting
         * @description One setting of a host. `text` is the value in words with its unit; `state` says whether there is a value at all.
         */
        HostSetting: {
            /** Address */
            address: string;
            /** Counterpart Text */
            counterpart_text: string | null;
            /** Key */
            key: string;
            /** Label */
            label: string;
            /** Layer */
            layer: string;
            /** Meaning */
            meaning: string;
            /** Reason */
            reason: string;
            source: components["schemas"]["SettingSourceShape"] | null;
            /**
             * State
             * @enum {string}
             */
            state: "value" | "unknown" | "not_offered";
            subject: components["schemas"]["SubjectShape"];
            /** Takes Effect */
            takes_effect: string;
            /** Text */
            text: string;
            /** Unit */
            unit: string;
            /** Value */
            value: boolean | number | string | (boolean | number | string)[] | null;
        };
        /**
         * HostSettings
         * @description All settings of the newest configuration.
         */
        HostSettings: {
            /** As Of */
            as_of: string | null;
            /** Items */
            items: components["schemas"]["HostSetting"][];
        };
        /**
         * HostUpdate
         * @description Only the fields that are sent are changed. `roles` sets adapter roles by adapter id; null gives the derived role back.
         */
        HostUpdate: {
            /** Group Id */
            group_id?: number | null;
            /** Mode */
            mode?: ("observe" | "remediate") | null;
            /** Roles */
            roles?: {
                [key: string]: ("san_iscsi" | "s2d_storage" | "management" | "other") | null;
            } | null;
            /** Tags */
            tags?: string[] | null;
        };
        /**
         * InstallCommand
         * @description A command to paste on the host.
         */
        InstallCommand: {
            /** Command */
            command: string;
            /** Notes */
            notes: string;
            /** Platform */
            platform: string;
            /** Title */
            title: string;
        };
        /**
         * NamedHost
         * @description A host as a link.
         */
        NamedHost: {
            /** Id */
            id: string;
            /** Name */
            name: string;
        };
        /**
         * NewlyFailing
         * @description A host with rules that began to fail in the last 24 hours.
         */
        NewlyFailing: {
            /**
             * At
             * Format: date-time
             */
            at: string;
            /** Id */
            id: string;
            /** Name */
            name: string;
            /** Rules */
            rules: number;
            /** Score */
            score: number | null;
            /** Words */
            words: string;
        };
        /**
         * OutcomeBar
         * @description Findings of the hosts with one value.
         */
        OutcomeBar: {
            /** Fail */
            fail: number;
            /** Label */
            label: string;
            /** Pass */
            pass: number;
            /** Unknown */
            unknown: number;
            /** Value */
            value: string;
        };
        /**
         * OutcomeCounts
         * @description Findings by the word shown; `guard_rail` counts failing guard-rails, which are among `fail` too.
         */
        OutcomeCounts: {
            /** Excluded */
            excluded: number;
            /** Fail */
            fail: number;
            /** Guard Rail */
            guard_rail: number;
            /** Not Applicable */
            not_applicable: number;
            /** Pass */
            pass: number;
            /** Unknown */
            unknown: number;
            /** Waived */
            waived: number;
        };
        /**
         * Overview
         * @description The fleet at one look.
         */
        Overview: {
            /**
             * As Of
             * Format: date-time
             */
            as_of: string;
            /** By Cluster */
            by_cluster: components["schemas"]["OutcomeBar"][];
            /** By Os */
            by_os: components["schemas"]["OutcomeBar"][];
            /** Distribution */
            distribution: components["schemas"]["ScoreBand"][];
            /** Events */
            events: components["schemas"]["FleetEventShape"][];
            /** Failing Rules */
            failing_rules: components["schemas"]["FailingRule"][];
            group: components["schemas"]["OverviewGroup"];
            headline: components["schemas"]["Headline"];
            /** Newly Failing */
            newly_failing: components["schemas"]["NewlyFailing"][];
            outcomes: components["schemas"]["OutcomeCounts"];
            score: components["schemas"]["FleetScore"];
            /** Silent */
            silent: components["schemas"]["SilentHost"][];
            /** Trend */
            trend: components["schemas"]["TrendDay"][];
            /** Waiting */
            waiting: number;
            /** Worse */
            worse: components["schemas"]["WorseGroup"][];
        };
        /**
         * OverviewGroup
         * @description The group that the overview is about.
         */
        OverviewGroup: {
            /** Id */
            id: number;
            /** Name */
            name: string;
        };
        /**
         * PackRow
         * @description An active version of a pack.
         */
        PackRow: {
            /** Pack */
            pack: string;
            /** Papers */
            papers: string[];
            /**
             * Published At
             * Format: date-time
             */
            published_at: string;
            /** Rules */
            rules: number;
            /** Title */
            title: string;
            /** Version */
            version: string;
        };
        /**
         * PathAdapter
         * @description An adapter that carries paths. `issue` says in words what is wrong with it, empty where nothing is.
         */
        PathAdapter: {
            /** Addresses */
            addresses: string[];
            /** Fabric */
            fabric: string;
            /** Family */
            family: string;
            /** Id */
            id: string;
            /** Issue */
            issue: string;
            /** Link Up */
            link_up: boolean | null;
            /** Name */
            name: string;
            /** Role */
            role: string;
        };
        /**
         * PathPortal
         * @description A portal of an array.
         */
        PathPortal: {
            /** Address */
            address: string;
        };
        /**
         * PathRow
         * @description One path.
         */
        PathRow: {
            /** Adapter */
            adapter: string;
            /** Initiator */
            initiator: string;
            /** Portal */
            portal: string;
            /** Runtime Name */
            runtime_name: string;
            /** Source Address */
            source_address: string;
            /** State */
            state: string;
            /** Target */
            target: string;
            /** Volume */
            volume: string;
        };
        /**
         * PathVolume
         * @description A SAN volume and how many of its paths are healthy.
         */
        PathVolume: {
            /** Healthy */
            healthy: number;
            /** Id */
            id: string;
            /** Module */
            module: string;
            /** Name */
            name: string;
            /** Policy */
            policy: string;
            /** Size Bytes */
            size_bytes: number | null;
            /** Total */
            total: number;
        };
        /**
         * Peers
         * @description How many of the other hosts of the cluster (or group) have the same outcome of this rule.
         */
        Peers: {
            /** Of */
            of: number;
            /** Same */
            same: number;
        };
        /**
         * PersonCreate
         * @description A new local account.
         */
        PersonCreate: {
            /** Display Name */
            display_name: string;
            /** Login */
            login: string;
            /** Password */
            password: string;
            /** Roles */
            roles?: components["schemas"]["RoleOn"][];
        };
        /**
         * PersonGrant
         * @description A grant as the people page shows it.
         */
        PersonGrant: {
            /** Group Id */
            group_id: number;
            /** Group Name */
            group_name: string;
            /** Id */
            id: number;
            /**
             * Role
             * @enum {string}
             */
            role: "viewer" | "operator" | "approver" | "admin";
        };
        /**
         * PersonRow
         * @description One person.
         */
        PersonRow: {
            /**
             * Created At
             * Format: date-time
             */
            created_at: string;
            /** Display Name */
            display_name: string;
            /** Grants */
            grants: components["schemas"]["PersonGrant"][];
            /** Id */
            id: number;
            /** Is Disabled */
            is_disabled: boolean;
            /** Last Signed In At */
            last_signed_in_at: string | null;
            /** Login */
            login: string;
        };
        /**
         * PersonUpdate
         * @description Only the fields that are sent are changed. A new password or a disabled account ends the person's sessions.
         */
        PersonUpdate: {
            /** Display Name */
            display_name?: string | null;
            /** Is Disabled */
            is_disabled?: boolean | null;
            /** Password */
            password?: string | null;
        };
        /**
         * PointsLost
         * @description What one rule costs the host: `points_lost` of 100.
         */
        PointsLost: {
            /** Pack */
            pack: string;
            /** Points Lost */
            points_lost: number;
            /** Rule */
            rule: string;
            /** Title */
            title: string;
        };
        /**
         * Problem
         * @description An RFC 9457 problem. `code` is a stable word for programs; `request_id` finds the entry in the log.
         */
        Problem: {
            /** Code */
            code: string;
            /** Detail */
            detail: string;
            /** Errors */
            errors?: {
                [key: string]: unknown;
            }[];
            /** Request Id */
            request_id: string;
            /** Status */
            status: number;
            /** Title */
            title: string;
            /**
             * Type
             * @default about:blank
             */
            type?: string;
        };
        /**
         * Reauthenticate
         * @description The password again, before an act that asks for it.
         */
        Reauthenticate: {
            /** Password */
            password: string;
        };
        /**
         * ReportCreate
         * @description Asks for a report about a group and all below it.
         */
        ReportCreate: {
            /** Group Id */
            group_id: number;
            /**
             * Template
             * @default executive
             * @constant
             */
            template?: "executive";
        };
        /**
         * ReportDetail
         * @description A report with its frozen figures.
         */
        ReportDetail: {
            /**
             * As Of
             * Format: date-time
             */
            as_of: string;
            /** Data */
            data: {
                [key: string]: unknown;
            } | null;
            /** Data Sha256 */
            data_sha256: string;
            /** Error */
            error: string;
            /** Files */
            files: components["schemas"]["ReportFileShape"][];
            /** Group Id */
            group_id: number;
            /** Group Name */
            group_name: string;
            /** Id */
            id: number;
            /**
             * Requested At
             * Format: date-time
             */
            requested_at: string;
            /** Requested By */
            requested_by: string;
            /**
             * State
             * @enum {string}
             */
            state: "queued" | "ready" | "failed";
            /** Template */
            template: string;
        };
        /**
         * ReportFileShape
         * @description One rendered format with its checksum.
         */
        ReportFileShape: {
            /** Bytes */
            bytes: number;
            /** Format */
            format: string;
            /** Sha256 */
            sha256: string;
        };
        /**
         * ReportShape
         * @description One report and where it stands.
         */
        ReportShape: {
            /**
             * As Of
             * Format: date-time
             */
            as_of: string;
            /** Data Sha256 */
            data_sha256: string;
            /** Error */
            error: string;
            /** Files */
            files: components["schemas"]["ReportFileShape"][];
            /** Group Id */
            group_id: number;
            /** Group Name */
            group_name: string;
            /** Id */
            id: number;
            /**
             * Requested At
             * Format: date-time
             */
            requested_at: string;
            /** Requested By */
            requested_by: string;
            /**
             * State
             * @enum {string}
             */
            state: "queued" | "ready" | "failed";
            /** Template */
            template: string;
        };
        /**
         * RoleOn
         * @description A role on a group and all below it.
         */
        RoleOn: {
            /** Group Id */
            group_id: number;
            /**
             * Role
             * @enum {string}
             */
            role: "viewer" | "operator" | "approver" | "admin";
        };
        /**
         * RuleCase
         * @description A case of the rule's own tests.
         */
        RuleCase: {
            /** Expected */
            expected: string;
            /** Name */
            name: string;
        };
        /**
         * RuleDetail
         * @description One rule, whole.
         */
        RuleDetail: {
            /** Applies To */
            applies_to: components["schemas"]["AppliesClause"][];
            /** Cases */
            cases: components["schemas"]["RuleCase"][];
            /** Covers */
            covers: string[];
            /** Effect */
            effect: string;
            /** Evidence */
            evidence: components["schemas"]["EvidenceShape"][];
            /** Expect */
            expect: unknown;
            /** Expect Words */
            expect_words: string;
            /** Fix */
            fix: components["schemas"]["FixLine"][];
            hosts: components["schemas"]["Counts"];
            /** Impact */
            impact: string;
            /** Impact Words */
            impact_words: string;
            /** Kind */
            kind: string;
            /** Manual */
            manual: string[];
            /** Pack */
            pack: string;
            /** Pack Version */
            pack_version: string;
            /** Platforms */
            platforms: string[];
            /** Rule */
            rule: string;
            /** Rule No */
            rule_no: number;
            /** Same As */
            same_as: string[];
            /** Settings */
            settings: components["schemas"]["RuleSetting"][];
            /** State */
            state: string;
            subjects: components["schemas"]["Counts"];
            /** Summary */
            summary: string;
            /** Title */
            title: string;
            /** Versions */
            versions: components["schemas"]["RuleVersion"][];
            weight: components["schemas"]["RuleWeight"];
            /** Why */
            why: string;
            /** Yaml */
            yaml: string;
        };
        /**
         * RuleHost
         * @description One subject that a rule judged, on its host.
         */
        RuleHost: {
            /** Expected */
            expected: string;
            /** Host Id */
            host_id: string;
            /** Name */
            name: string;
            /** Observed */
            observed: string;
            /** Reason */
            reason: string;
            /** Score */
            score: number | null;
            /**
             * Standing
             * @enum {string}
             */
            standing: "pass" | "fail" | "unknown" | "not_applicable" | "waived" | "excluded" | "advice";
            subject: components["schemas"]["SubjectShape"];
        };
        /**
         * RuleHostPage
         * @description One page of a rule's hosts.
         */
        RuleHostPage: {
            /** Items */
            items: components["schemas"]["RuleHost"][];
            /** Next */
            next: string | null;
            /** Total */
            total: number;
        };
        /**
         * RuleList
         * @description All rules that match and the packs they come from.
         */
        RuleList: {
            /** Items */
            items: components["schemas"]["RuleRow"][];
            /** Packs */
            packs: components["schemas"]["PackRow"][];
        };
        /**
         * RuleRow
         * @description A rule as lists show it.
         */
        RuleRow: {
            /** Effect */
            effect: string;
            hosts: components["schemas"]["Counts"];
            /** Kind */
            kind: string;
            /** Pack */
            pack: string;
            /** Pack Version */
            pack_version: string;
            /** Platforms */
            platforms: string[];
            /** Rule */
            rule: string;
            /** Rule No */
            rule_no: number;
            /** State */
            state: string;
            subjects: components["schemas"]["Counts"];
            /** Title */
            title: string;
            /** Weight */
            weight: number;
        };
        /**
         * RuleSetting
         * @description A setting that a rule reads.
         */
        RuleSetting: {
            /** Key */
            key: string;
            /** Label */
            label: string;
            /** Meaning */
            meaning: string;
            /** Sources */
            sources: components["schemas"]["RuleSettingSource"][];
        };
        /**
         * RuleSettingSource
         * @description Where a setting is read on one platform.
         */
        RuleSettingSource: {
            /** Command */
            command: string;
            /** Field */
            field: string;
            /** Platform */
            platform: string;
            /** Section */
            section: string;
            /** Versions */
            versions: string;
        };
        /**
         * RuleVersion
         * @description A published version of the pack that has this rule.
         */
        RuleVersion: {
            /**
             * Published At
             * Format: date-time
             */
            published_at: string;
            /** Version */
            version: string;
        };
        /**
         * RuleWeight
         * @description w = band points x strength x fit, at the best evidence; fit 1 is assumed here, since it depends on the host.
         */
        RuleWeight: {
            /** Band */
            band: string;
            /** Fit */
            fit: number;
            /** Strength */
            strength: string;
            /** W */
            w: number;
        };
        /**
         * Said
         * @description One sentence about what was done or asked for.
         */
        Said: {
            /** Words */
            words: string;
        };
        /**
         * ScoreBand
         * @description Hosts whose score lies from `from` to `to`, both included.
         */
        ScoreBand: {
            /** From */
            from: number;
            /** Hosts */
            hosts: number;
            /** To */
            to: number;
        };
        /**
         * ScoreCap
         * @description A cap that holds the score down.
         */
        ScoreCap: {
            /** Because */
            because: string;
            /** Limit */
            limit: number;
        };
        /**
         * ScoreRule
         * @description What one rule brings to the score: `points_possible` and `points_lost` of 100.
         */
        ScoreRule: {
            /** Band */
            band: string;
            /** Fit */
            fit: number;
            /** Judged */
            judged: number;
            /** Kind */
            kind: string;
            /** Pack */
            pack: string;
            /** Passing */
            passing: number;
            /** Points Lost */
            points_lost: number;
            /** Points Possible */
            points_possible: number;
            /** Rule */
            rule: string;
            /** Strength */
            strength: string;
            /** Title */
            title: string;
            /** Unknown */
            unknown: number;
            /** Waived */
            waived: number;
            /** Weight */
            weight: number;
        };
        /**
         * ScoredHost
         * @description A host and its score.
         */
        ScoredHost: {
            /** Id */
            id: string;
            /** Name */
            name: string;
            /** Score */
            score: number;
        };
        /**
         * SearchHit
         * @description One answer of the search field; `url` is a page of the web interface.
         */
        SearchHit: {
            /** Detail */
            detail: string;
            /** Id */
            id: string;
            /**
             * Kind
             * @enum {string}
             */
            kind: "host" | "rule" | "view" | "action";
            /** Label */
            label: string;
            /** Url */
            url: string;
        };
        /**
         * SectionState
         * @description One section of the newest check-in.
         */
        SectionState: {
            /**
             * Changed At
             * Format: date-time
             */
            changed_at: string;
            /** Error */
            error: string;
            /** Name */
            name: string;
            /** Sha256 */
            sha256: string | null;
            /** Status */
            status: string;
            /** Took Ms */
            took_ms: number | null;
        };
        /**
         * SeriesChoice
         * @description A series that can be asked for.
         */
        SeriesChoice: {
            /** Id */
            id: string;
            /** Label */
            label: string;
            /** Name */
            name: string;
            /** Unit */
            unit: string;
        };
        /**
         * SessionCan
         * @description What the interface may offer at all; each act is decided again for its object.
         */
        SessionCan: {
            /** Activate Packs */
            activate_packs: boolean;
            /** Approve Hosts */
            approve_hosts: boolean;
            /** Check Now */
            check_now: boolean;
            /** Enrol */
            enrol: boolean;
            /** Export */
            export: boolean;
            /** Manage Collection */
            manage_collection: boolean;
            /** Manage Groups */
            manage_groups: boolean;
            /** Manage People */
            manage_people: boolean;
            /** See Audit */
            see_audit: boolean;
        };
        /**
         * SessionPerson
         * @description Who is signed in.
         */
        SessionPerson: {
            /** Display Name */
            display_name: string;
            /** Id */
            id: number;
            /** Login */
            login: string;
            /** Time Zone */
            time_zone: string;
        };
        /**
         * SessionRole
         * @description One grant of the person.
         */
        SessionRole: {
            /** Group Id */
            group_id: number;
            /** Group Name */
            group_name: string;
            /**
             * Role
             * @enum {string}
             */
            role: "viewer" | "operator" | "approver" | "admin";
        };
        /**
         * SessionShape
         * @description The session of this browser.
         */
        SessionShape: {
            can: components["schemas"]["SessionCan"];
            /** Is Demo */
            is_demo: boolean;
            person: components["schemas"]["SessionPerson"];
            /** Roles */
            roles: components["schemas"]["SessionRole"][];
            /** Site Name */
            site_name: string;
        };
        /**
         * SessionUpdate
         * @description What a person sets about their own session: the time zone, as an IANA name.
         */
        SessionUpdate: {
            /** Time Zone */
            time_zone: string;
        };
        /**
         * SettingSourceShape
         * @description Where a value was read: section, command, field, the raw text, and the digest of the body that carried it.
         */
        SettingSourceShape: {
            /** Command */
            command: string;
            /** Field */
            field: string;
            /** Raw */
            raw: string;
            /** Read At */
            read_at: string | null;
            /** Section */
            section: string;
            /** Sha256 */
            sha256: string | null;
        };
        /**
         * SetupCreate
         * @description The first admin, with the one-time code from the console.
         */
        SetupCreate: {
            /** Code */
            code: string;
            /** Display Name */
            display_name: string;
            /** Login */
            login: string;
            /** Password */
            password: string;
        };
        /**
         * SetupState
         * @description Whether the first admin has still to be made.
         */
        SetupState: {
            /** Is Demo */
            is_demo: boolean;
            /** Needs Setup */
            needs_setup: boolean;
        };
        /**
         * SignIn
         * @description A sign-in.
         */
        SignIn: {
            /** Login */
            login: string;
            /** Password */
            password: string;
        };
        /**
         * SilentHost
         * @description A host that has stopped checking in.
         */
        SilentHost: {
            /** Id */
            id: string;
            /** Last Seen At */
            last_seen_at: string | null;
            /** Name */
            name: string;
            /** Why */
            why: string;
        };
        /**
         * SubjectShape
         * @description What a finding, setting or change is about. `label` is what people call it, from the host's own words.
         */
        SubjectShape: {
            /** Id */
            id: string;
            /** Kind */
            kind: string;
            /** Label */
            label: string;
        };
        /**
         * TrendDay
         * @description The fleet at the end of one day.
         */
        TrendDay: {
            /**
             * Day
             * Format: date
             */
            day: string;
            /** Hosts */
            hosts: number;
            /** N Fail */
            n_fail: number;
            /** Rule Coverage */
            rule_coverage: number | null;
            /** Score Mean */
            score_mean: number | null;
            /** Score Median */
            score_median: number | null;
        };
        /**
         * Trial
         * @description One sign-in that a person asked for.
         */
        Trial: {
            /**
             * Asked At
             * Format: date-time
             */
            asked_at: string;
            /** Credential Id */
            credential_id: number;
            /** Finished At */
            finished_at: string | null;
            host: components["schemas"]["NamedHost"];
            /** Id */
            id: number;
            /**
             * State
             * @enum {string}
             */
            state: "waiting" | "running" | "accepted" | "rejected" | "not_tried";
            /** Words */
            words: string;
        };
        /**
         * View
         * @description A named URL.
         */
        View: {
            /** Id */
            id: number;
            /** Is Mine */
            is_mine: boolean;
            /** Is Shared */
            is_shared: boolean;
            /** Name */
            name: string;
            /** Url */
            url: string;
        };
        /**
         * ViewCreate
         * @description Keeps the present page with its filters under a name. `url` is a path of the web interface.
         */
        ViewCreate: {
            /**
             * Is Shared
             * @default false
             */
            is_shared?: boolean;
            /** Name */
            name: string;
            /** Url */
            url: string;
        };
        /**
         * VolumeLeft
         * @description What a restart of an adapter leaves of one volume's healthy paths.
         */
        VolumeLeft: {
            /** Healthy */
            healthy: number;
            /** Name */
            name: string;
            /** Total */
            total: number;
            /** Volume */
            volume: string;
        };
        /**
         * WaitingHost
         * @description A host that enrolled and waits for approval.
         */
        WaitingHost: {
            /** Address */
            address: string;
            /** Agent Version */
            agent_version: string;
            /**
             * Enrolled At
             * Format: date-time
             */
            enrolled_at: string;
            /** Id */
            id: string;
            /** Last Seen At */
            last_seen_at: string | null;
            /** Name */
            name: string;
            /** Os Name */
            os_name: string;
            /** Platform */
            platform: string;
            /** Token Name */
            token_name: string;
        };
        /**
         * WaiverShape
         * @description The waiver that stands beside a finding.
         */
        WaiverShape: {
            /** Approved By */
            approved_by: string;
            /**
             * Expires At
             * Format: date-time
             */
            expires_at: string;
            /** Id */
            id: number;
            /** Reason */
            reason: string;
        };
        /**
         * Was
         * @description What the setting was before it last changed.
         */
        Was: {
            /** Cause */
            cause: string;
            /** Cause Detail */
            cause_detail: string;
            /**
             * Until
             * Format: date-time
             */
            until: string;
            /** Value */
            value: string;
        };
        /**
         * WithoutAdapter
         * @description What stays while one adapter restarts.
         */
        WithoutAdapter: {
            /** Adapter */
            adapter: string;
            /** Leaves */
            leaves: components["schemas"]["VolumeLeft"][];
            /** Name */
            name: string;
        };
        /**
         * WorseGroup
         * @description A change that happened alike on one or more hosts and made them worse.
         */
        WorseGroup: {
            /** Alike */
            alike: string;
            /** Cause */
            cause: string;
            /** Cause Detail */
            cause_detail: string;
            /**
             * First At
             * Format: date-time
             */
            first_at: string;
            /** Group Name */
            group_name: string;
            /** Host Count */
            host_count: number;
            /** Hosts */
            hosts: components["schemas"]["NamedHost"][];
            /** Key */
            key: string;
            /** Label */
            label: string;
            /**
             * Last At
             * Format: date-time
             */
            last_at: string;
            /** New */
            new: string;
            /** Old */
            old: string;
        };
        /**
         * WorstRule
         * @description The failing rule that costs the host most.
         */
        WorstRule: {
            /** Pack */
            pack: string;
            /** Rule */
            rule: string;
            /** Title */
            title: string;
        };
    };
    responses: never;
    parameters: never;
    requestBodies: never;
    headers: never;
    pathItems: never;
}
export type $defs = Record<string, never>;
export interface operations {
    download_agent: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                name: "Plumbline-Agent.ps1" | "Install-Plumbline.ps1" | "host_agent.py";
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Not signed in */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not allowed */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Conflict */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Cannot be used */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Too many requests */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not available now */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    list_audit: {
        parameters: {
            query?: {
                after?: string | null;
                action?: string;
                actor?: string;
                object?: string;
                limit?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AuditPage"];
                };
            };
            /** @description Not signed in */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not allowed */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Conflict */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Cannot be used */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Too many requests */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not available now */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    list_credentials: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CredentialRow"][];
                };
            };
            /** @description Not signed in */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not allowed */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Conflict */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Cannot be used */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Too many requests */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not available now */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    add_credential: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CredentialCreate"];
            };
        };
        responses: {
            /** @description Successful Response */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CredentialRow"];
                };
            };
            /** @description Not signed in */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not allowed */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Conflict */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Cannot be used */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Too many requests */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not available now */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    replace_credential: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                credential_id: number;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CredentialReplace"];
            };
        };
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CredentialRow"];
                };
            };
            /** @description Not signed in */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not allowed */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Conflict */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Cannot be used */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Too many requests */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not available now */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    stop_credential: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                credential_id: number;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CredentialStop"];
            };
        };
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CredentialRow"];
                };
            };
            /** @description Not signed in */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not allowed */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Conflict */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Cannot be used */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Too many requests */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not available now */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    try_credential: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                credential_id: number;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CredentialTest"];
            };
        };
        responses: {
            /** @description Successful Response */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Trial"];
                };
            };
            /** @description Not signed in */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not allowed */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Conflict */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Cannot be used */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Too many requests */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not available now */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    list_collected_hosts: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CollectedHost"][];
                };
            };
            /** @description Not signed in */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not allowed */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Conflict */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Cannot be used */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Too many requests */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not available now */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    add_collected_host: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CollectedHostCreate"];
            };
        };
        responses: {
            /** @description Successful Response */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CollectedHost"];
                };
            };
            /** @description Not signed in */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not allowed */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Conflict */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Cannot be used */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Too many requests */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not available now */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    remove_collected_host: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                host_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Successful Response */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Not signed in */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not allowed */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Conflict */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Cannot be used */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Too many requests */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not available now */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    change_collected_host: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                host_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CollectedHostUpdate"];
            };
        };
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CollectedHost"];
                };
            };
            /** @description Not signed in */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not allowed */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Conflict */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Cannot be used */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Too many requests */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not available now */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    confirm_host_key: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                host_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["FingerprintConfirm"];
            };
        };
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CollectedHost"];
                };
            };
            /** @description Not signed in */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not allowed */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Conflict */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Cannot be used */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Too many requests */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not available now */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    look_at_host: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                host_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Successful Response */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Said"];
                };
            };
            /** @description Not signed in */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not allowed */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Conflict */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Cannot be used */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Too many requests */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not available now */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    read_credential_trial: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                trial_id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Trial"];
                };
            };
            /** @description Not signed in */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not allowed */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Conflict */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Cannot be used */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Too many requests */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not available now */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    list_enrolment_tokens: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["EnrolmentTokenRow"][];
                };
            };
            /** @description Not signed in */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not allowed */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Conflict */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Cannot be used */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Too many requests */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not available now */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    make_enrolment_token: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["EnrolmentTokenCreate"];
            };
        };
        responses: {
            /** @description Successful Response */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["EnrolmentTokenMade"];
                };
            };
            /** @description Not signed in */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not allowed */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Conflict */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Cannot be used */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Too many requests */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not available now */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    revoke_enrolment_token: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                token_id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Successful Response */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Not signed in */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not allowed */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Conflict */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Cannot be used */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Too many requests */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not available now */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    list_waiting_hosts: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WaitingHost"][];
                };
            };
            /** @description Not signed in */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not allowed */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Conflict */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Cannot be used */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Too many requests */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not available now */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    follow_events: {
        parameters: {
            query?: never;
            header?: {
                "last-event-id"?: string | null;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/event-stream": unknown;
                };
            };
            /** @description Not signed in */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not allowed */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Conflict */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Cannot be used */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Too many requests */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not available now */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    give_grant: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["GrantCreate"];
            };
        };
        responses: {
            /** @description Successful Response */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PersonRow"];
                };
            };
            /** @description Not signed in */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not allowed */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Conflict */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Cannot be used */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Too many requests */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not available now */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    take_grant: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                grant_id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Successful Response */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Not signed in */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not allowed */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Conflict */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Cannot be used */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Too many requests */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not available now */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    list_groups: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Group"][];
                };
            };
            /** @description Not signed in */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not allowed */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Conflict */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Cannot be used */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Too many requests */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not available now */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    create_group: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["GroupCreate"];
            };
        };
        responses: {
            /** @description Successful Response */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Group"];
                };
            };
            /** @description Not signed in */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not allowed */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Conflict */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Cannot be used */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Too many requests */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not available now */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    change_group: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                group_id: number;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["GroupUpdate"];
            };
        };
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Group"];
                };
            };
            /** @description Not signed in */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not allowed */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Conflict */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Cannot be used */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Too many requests */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not available now */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    list_hosts: {
        parameters: {
            query?: {
                q?: string;
                group?: number[];
                platform?: string[];
                os?: string[];
                family?: string[];
                mode?: string[];
                managed?: ("observe" | "remediate")[];
                outcome?: ("fail" | "unknown" | "waived" | "guard_rail" | "pass" | "excluded" | "not_applicable")[];
                freshness?: ("fresh" | "late" | "silent" | "never")[];
                rule?: string[];
                cluster?: string[];
                state?: ("waiting" | "active" | "retired" | "quarantined")[];
                tag?: string[];
                score_below?: number | null;
                changed_hours?: number | null;
                sort?: "score" | "-score" | "name" | "-name" | "last_seen" | "-last_seen" | "paths" | "-paths";
                after?: string | null;
                limit?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["HostPage"];
                };
            };
            /** @description Not signed in */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not allowed */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Conflict */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Cannot be used */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Too many requests */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not available now */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    list_host_facets: {
        parameters: {
            query?: {
                q?: string;
                group?: number[];
                platform?: string[];
                os?: string[];
                family?: string[];
                mode?: string[];
                managed?: ("observe" | "remediate")[];
                outcome?: ("fail" | "unknown" | "waived" | "guard_rail" | "pass" | "excluded" | "not_applicable")[];
                freshness?: ("fresh" | "late" | "silent" | "never")[];
                rule?: string[];
                cluster?: string[];
                state?: ("waiting" | "active" | "retired" | "quarantined")[];
                tag?: string[];
                score_below?: number | null;
                changed_hours?: number | null;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["HostFacets"];
                };
            };
            /** @description Not signed in */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not allowed */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Conflict */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Cannot be used */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Too many requests */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not available now */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    read_host: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                host_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["HostDetail"];
                };
            };
            /** @description Not signed in */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not allowed */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Conflict */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Cannot be used */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Too many requests */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not available now */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    change_host: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                host_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["HostUpdate"];
            };
        };
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["HostRow"];
                };
            };
            /** @description Not signed in */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not allowed */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Conflict */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Cannot be used */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Too many requests */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not available now */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    approve_host: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                host_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["HostApprove"];
            };
        };
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["HostRow"];
                };
            };
            /** @description Not signed in */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not allowed */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Conflict */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Cannot be used */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Too many requests */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not available now */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    list_host_changes: {
        parameters: {
            query?: {
                after?: string | null;
                limit?: number;
            };
            header?: never;
            path: {
                host_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ChangePage"];
                };
            };
            /** @description Not signed in */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not allowed */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Conflict */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Cannot be used */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Too many requests */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not available now */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    check_host_now: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                host_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Successful Response */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Said"];
                };
            };
            /** @description Not signed in */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not allowed */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Conflict */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Cannot be used */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Too many requests */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not available now */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    read_host_collection: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                host_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["HostCollection"];
                };
            };
            /** @description Not signed in */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not allowed */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Conflict */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Cannot be used */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Too many requests */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not available now */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    read_host_counters: {
        parameters: {
            query?: {
                hours?: number;
                series?: string;
            };
            header?: never;
            path: {
                host_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["HostCounters"];
                };
            };
            /** @description Not signed in */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not allowed */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Conflict */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Cannot be used */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Too many requests */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not available now */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    list_host_findings: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                host_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["HostFindings"];
                };
            };
            /** @description Not signed in */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not allowed */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Conflict */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Cannot be used */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Too many requests */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not available now */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    read_host_paths: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                host_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["HostPaths"];
                };
            };
            /** @description Not signed in */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not allowed */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Conflict */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Cannot be used */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Too many requests */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not available now */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    retire_host: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                host_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["HostRetire"];
            };
        };
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["HostRow"];
                };
            };
            /** @description Not signed in */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not allowed */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Conflict */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Cannot be used */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Too many requests */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not available now */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    read_host_score: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                host_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["HostScore"];
                };
            };
            /** @description Not signed in */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not allowed */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Conflict */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Cannot be used */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Too many requests */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not available now */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    list_host_settings: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                host_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["HostSettings"];
                };
            };
            /** @description Not signed in */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not allowed */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Conflict */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Cannot be used */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Too many requests */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not available now */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    read_overview: {
        parameters: {
            query?: {
                group?: number | null;
                days?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Overview"];
                };
            };
            /** @description Not signed in */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not allowed */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Conflict */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Cannot be used */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Too many requests */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not available now */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    list_people: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PersonRow"][];
                };
            };
            /** @description Not signed in */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not allowed */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Conflict */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Cannot be used */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Too many requests */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not available now */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    create_person: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["PersonCreate"];
            };
        };
        responses: {
            /** @description Successful Response */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PersonRow"];
                };
            };
            /** @description Not signed in */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not allowed */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Conflict */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Cannot be used */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Too many requests */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not available now */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    change_person: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                person_id: number;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["PersonUpdate"];
            };
        };
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PersonRow"];
                };
            };
            /** @description Not signed in */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not allowed */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Conflict */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Cannot be used */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Too many requests */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not available now */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    list_reports: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ReportShape"][];
                };
            };
            /** @description Not signed in */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not allowed */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Conflict */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Cannot be used */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Too many requests */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not available now */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    request_report: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ReportCreate"];
            };
        };
        responses: {
            /** @description Successful Response */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ReportShape"];
                };
            };
            /** @description Not signed in */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not allowed */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Conflict */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Cannot be used */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Too many requests */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not available now */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    read_report: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                report_id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ReportDetail"];
                };
            };
            /** @description Not signed in */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not allowed */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Conflict */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Cannot be used */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Too many requests */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not available now */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    download_report: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                report_id: number;
                format: "pdf" | "csv" | "json";
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": string;
                    "application/pdf": string;
                    "text/csv": string;
                };
            };
            /** @description Not signed in */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not allowed */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Conflict */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Cannot be used */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Too many requests */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not available now */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    list_rules: {
        parameters: {
            query?: {
                q?: string;
                pack?: string[];
                kind?: string[];
                outcome?: ("pass" | "fail" | "unknown" | "not_applicable" | "waived" | "excluded" | "advice")[];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RuleList"];
                };
            };
            /** @description Not signed in */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not allowed */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Conflict */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Cannot be used */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Too many requests */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not available now */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    read_rule: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                pack: string;
                rule: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RuleDetail"];
                };
            };
            /** @description Not signed in */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not allowed */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Conflict */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Cannot be used */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Too many requests */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not available now */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    list_rule_hosts: {
        parameters: {
            query?: {
                outcome?: ("pass" | "fail" | "unknown" | "not_applicable" | "waived" | "excluded" | "advice")[];
                after?: string | null;
                limit?: number;
            };
            header?: never;
            path: {
                pack: string;
                rule: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RuleHostPage"];
                };
            };
            /** @description Not signed in */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not allowed */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Conflict */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Cannot be used */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Too many requests */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not available now */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    search_all: {
        parameters: {
            query?: {
                q?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SearchHit"][];
                };
            };
            /** @description Not signed in */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not allowed */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Conflict */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Cannot be used */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Too many requests */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not available now */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    read_session: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SessionShape"];
                };
            };
            /** @description Not signed in */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not allowed */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Conflict */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Cannot be used */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Too many requests */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not available now */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    start_session: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["SignIn"];
            };
        };
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SessionShape"];
                };
            };
            /** @description Not signed in */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not allowed */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Conflict */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Cannot be used */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Too many requests */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not available now */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    end_session: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Successful Response */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Not signed in */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not allowed */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Conflict */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Cannot be used */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Too many requests */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not available now */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    change_session: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["SessionUpdate"];
            };
        };
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SessionShape"];
                };
            };
            /** @description Not signed in */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not allowed */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Conflict */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Cannot be used */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Too many requests */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not available now */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    reauthenticate: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["Reauthenticate"];
            };
        };
        responses: {
            /** @description Successful Response */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Not signed in */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not allowed */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Conflict */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Cannot be used */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Too many requests */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not available now */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    read_setup: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SetupState"];
                };
            };
            /** @description Not signed in */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not allowed */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Conflict */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Cannot be used */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Too many requests */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not available now */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    finish_setup: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["SetupCreate"];
            };
        };
        responses: {
            /** @description Successful Response */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SessionShape"];
                };
            };
            /** @description Not signed in */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not allowed */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Conflict */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Cannot be used */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Too many requests */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not available now */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    list_views: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["View"][];
                };
            };
            /** @description Not signed in */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not allowed */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Conflict */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Cannot be used */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Too many requests */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not available now */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    create_view: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ViewCreate"];
            };
        };
        responses: {
            /** @description Successful Response */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["View"];
                };
            };
            /** @description Not signed in */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not allowed */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Conflict */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Cannot be used */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Too many requests */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not available now */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    delete_view: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                view_id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Successful Response */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Not signed in */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not allowed */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Conflict */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Cannot be used */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Too many requests */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not available now */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    read_health: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Health"];
                };
            };
            /** @description Not signed in */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not allowed */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Conflict */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Cannot be used */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Too many requests */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not available now */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
    read_metrics: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Not signed in */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not allowed */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Conflict */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Cannot be used */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Too many requests */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
            /** @description Not available now */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/problem+json": components["schemas"]["Problem"];
                };
            };
        };
    };
}
