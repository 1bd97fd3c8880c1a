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
         * @description One agent file, as it came with this version; its SHA-256 is in the install command. It holds no secret.
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
    "/api/v1/assessments": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List Assessments
         * @description One's own assessments, newest first.
         */
        get: operations["list_assessments"];
        put?: never;
        /**
         * Begin Assessment
         * @description Announces a support bundle; its parts follow.
         */
        post: operations["begin_assessment"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/assessments/{assessment_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read Assessment
         * @description One assessment with the hosts that were found so far, at most `limit` of them; with `named` those whose name has it in it.
         */
        get: operations["read_assessment"];
        put?: never;
        post?: never;
        /**
         * Delete Assessment
         * @description Throws an assessment away.
         */
        delete: operations["delete_assessment"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/assessments/{assessment_id}/content": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        /**
         * Upload Part
         * @description Takes the next part, of at most 1,000,000 bytes. After the last one the bundle is read. A part for another place than the end is
         *     refused (409) with the byte that is awaited, so that an upload can go on after a broken connection.
         */
        put: operations["upload_part"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/assessments/{assessment_id}/hosts/{assessed_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read Assessed Host
         * @description One host of an assessment with its findings and the lines of the bundle that they rest on.
         */
        get: operations["read_assessed_host"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/assessments/{assessment_id}/hosts/{assessed_id}/plan-preview": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Preview Assessed Plan
         * @description The steps that a plan for this host would hold, as text to read and to copy. Nothing is stored, approved or run.
         */
        get: operations["preview_assessed_plan"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/assessments/{assessment_id}/join": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Join Fleet
         * @description Adds hosts of one's own assessment to a group of the fleet. Each says what became of it; a host that checks in by itself is left out,
         *     since its own data is newer.
         */
        post: operations["join_fleet"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/assessments/{assessment_id}/report": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Download Assessment Report
         * @description The report of one's own assessment; `plan` adds what a plan would change on each host, with the commands.
         */
        get: operations["download_assessment_report"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/attestations": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List Attestations
         * @description What people attest because no host can see it, and what was attested.
         */
        get: operations["list_attestations"];
        put?: never;
        /**
         * Make Attestation
         * @description Attests what no host can see.
         */
        post: operations["make_attestation"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/attestations/{attestation_id}/files": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Attach To Attestation
         * @description Attaches a file to an attestation of one's own.
         */
        post: operations["attach_to_attestation"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/attestations/{attestation_id}/files/{file_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Download Attestation File
         * @description A file of evidence, as an attachment.
         */
        get: operations["download_attestation_file"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/attestations/{attestation_id}/withdraw": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Withdraw Attestation
         * @description Ends an attestation before its time.
         */
        post: operations["withdraw_attestation"];
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
    "/api/v1/baselines": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List Baselines
         * @description Proposals of baselines, newest first.
         */
        get: operations["list_baselines"];
        put?: never;
        /**
         * Propose Baseline
         * @description Proposes the present configuration of a host, or of every host of a group, as the baseline.
         */
        post: operations["propose_baseline"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/baselines/{baseline_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read Baseline
         * @description One proposal with what it changes.
         */
        get: operations["read_baseline"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/baselines/{baseline_id}/accept": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Accept Baseline
         * @description Makes the proposed configurations the baselines of their hosts; never one's own proposal.
         */
        post: operations["accept_baseline"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/baselines/{baseline_id}/refuse": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Refuse Baseline
         * @description Refuses a proposal, with the reason.
         */
        post: operations["refuse_baseline"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/baselines/{baseline_id}/withdraw": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Withdraw Baseline
         * @description Withdraws a proposal before it is decided.
         */
        post: operations["withdraw_baseline"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/benchmark-files/{file_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Download Benchmark File
         * @description A file as it was uploaded, as an attachment.
         */
        get: operations["download_benchmark_file"];
        put?: never;
        post?: never;
        /**
         * Delete Benchmark File
         * @description Deletes a file with its runs, unless a proof uses one of them.
         */
        delete: operations["delete_benchmark_file"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/benchmark-runs": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List Benchmark Runs
         * @description Imported runs, the newest first.
         */
        get: operations["list_benchmark_runs"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/benchmark-runs/{run_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read Benchmark Run
         * @description One run with its file and parameters.
         */
        get: operations["read_benchmark_run"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/benchmark-runs/{run_id}/share": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read Benchmark Share
         * @description The share of its throughput alone that this run reached beside other traffic, against the configured share of its class.
         */
        get: operations["read_benchmark_share"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/broken-glass": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List Broken Glass
         * @description Plans that run, or are about to, without an approver, and that nobody has reviewed yet.
         */
        get: operations["list_broken_glass"];
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
         * @description The credential is not used until it is replaced.
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
         * @description Signs in to one host once; the outcome is at `/collection/tests/{id}`.
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
         * @description Fetches the host's key or certificate; no credential is sent.
         */
        post: operations["look_at_host"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/collection/keys": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Import Host Keys
         * @description Shows what each line of a known_hosts or CSV file means for the hosts here; with `is_applied`, pins their keys.
         */
        post: operations["import_host_keys"];
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
         * @description State and outcome of a test of a credential.
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
    "/api/v1/collection/vcenters": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List Vcenters
         * @description vCenters from which Plumbline reads facts of ESXi hosts.
         */
        get: operations["list_vcenters"];
        put?: never;
        /**
         * Add Vcenter
         * @description Adds a vCenter to read; no credential is sent before a person has confirmed its certificate.
         */
        post: operations["add_vcenter"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/collection/vcenters/{vcenter_id}": {
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
         * Remove Vcenter
         * @description Removes a vCenter with its list of hosts and the clusters that came from it.
         */
        delete: operations["remove_vcenter"];
        options?: never;
        head?: never;
        /**
         * Change Vcenter
         * @description Another name, address, port or credential.
         */
        patch: operations["change_vcenter"];
        trace?: never;
    };
    "/api/v1/collection/vcenters/{vcenter_id}/confirm": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Confirm Vcenter
         * @description Pins the certificate that a person compared.
         */
        post: operations["confirm_vcenter"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/collection/vcenters/{vcenter_id}/hosts": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List Vcenter Hosts
         * @description The vCenter's hosts, and the hosts in Plumbline that they are linked with.
         */
        get: operations["list_vcenter_hosts"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/collection/vcenters/{vcenter_id}/hosts/{moid}/link": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        /**
         * Link Vcenter Host
         * @description Links it with a host in Plumbline, or marks it as none of them.
         */
        put: operations["link_vcenter_host"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/collection/vcenters/{vcenter_id}/look": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Look At Vcenter
         * @description Fetches the vCenter's certificate; no credential is sent.
         */
        post: operations["look_at_vcenter"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/collection/vcenters/{vcenter_id}/read": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Read Vcenter Now
         * @description Reads the vCenter at once.
         */
        post: operations["read_vcenter_now"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/conflict-decisions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Propose Conflict Decision
         * @description Proposes which side of a conflict holds for a group.
         */
        post: operations["propose_conflict_decision"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/conflict-decisions/{decision_id}/approve": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Approve Conflict Decision
         * @description Puts a proposal in force; never one's own.
         */
        post: operations["approve_conflict_decision"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/conflict-decisions/{decision_id}/refuse": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Refuse Conflict Decision
         * @description Refuses a proposal.
         */
        post: operations["refuse_conflict_decision"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/conflict-decisions/{decision_id}/withdraw": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Withdraw Conflict Decision
         * @description Takes back a proposal of one's own, or ends a decision.
         */
        post: operations["withdraw_conflict_decision"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/conflicts": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List Conflicts
         * @description Where active packs require opposite values on hosts in scope.
         */
        get: operations["list_conflicts"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/demo-logins": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List Demo Logins
         * @description The lab's logins, for a browser on the machine that the lab runs on; empty for any other, and where this is no lab.
         */
        get: operations["list_demo_logins"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/domains": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List Domains
         * @description Failure domains in scope with their jobs at the same time, and the jobs that use them.
         */
        get: operations["list_domains"];
        /**
         * Set Domain Budget
         * @description How many hosts of a fabric or a group may be changed at a time.
         */
        put: operations["set_domain_budget"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/drift": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read Drift
         * @description What changed, one row for each happening, and the four references. `unread` also shows settings that only could or could not be
         *     read.
         */
        get: operations["read_drift"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/drift/events": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List Drift Event Details
         * @description Several events, each as by itself, the newest first; those that no longer exist are left out.
         */
        get: operations["list_drift_event_details"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/drift/events/{event_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read Drift Event
         * @description One event with every change, what its hosts have now, and what may be done about it.
         */
        get: operations["read_drift_event"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/drift/marks": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Mark Changes
         * @description Marks changes as expected: they are shown apart from the others, with the reason.
         */
        post: operations["mark_changes"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/drift/marks/{mark_id}/end": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Unmark Changes
         * @description Ends a mark: its changes count as unexpected again.
         */
        post: operations["unmark_changes"];
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
    "/api/v1/evidence-bundles": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List Evidence Bundles
         * @description The newest 200 evidence bundles about groups this person may read.
         */
        get: operations["list_evidence_bundles"];
        put?: never;
        /**
         * Request Evidence Bundle
         * @description Requests an evidence bundle, which is made in the background; its state tells when it is ready.
         */
        post: operations["request_evidence_bundle"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/evidence-bundles/verify_bundle.py": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Download Verifier
         * @description The program that checks evidence bundles offline: one file for Python 3.9 or newer. It holds no secret.
         */
        get: operations["download_verifier"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/evidence-bundles/{bundle_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read Evidence Bundle
         * @description One evidence bundle's state.
         */
        get: operations["read_evidence_bundle"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/evidence-bundles/{bundle_id}/file": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Download Evidence Bundle
         * @description The signed file. Each download is audited.
         */
        get: operations["download_evidence_bundle"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/exports/attestations.csv": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Export Attestations
         * @description Attestations.
         */
        get: operations["export_attestations"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/exports/audit.csv": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Export Audit
         * @description The audit trail.
         */
        get: operations["export_audit"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/exports/baselines.csv": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Export Baselines
         * @description Proposed baselines with their decisions.
         */
        get: operations["export_baselines"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/exports/drift.csv": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Export Drift
         * @description Changes of settings; equal changes of several hosts are one row.
         */
        get: operations["export_drift"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/exports/hosts.csv": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Export Hosts
         * @description The hosts that match, in the requested order.
         */
        get: operations["export_hosts"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/exports/hosts/{host_id}/changes.csv": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Export Host Changes
         * @description Changes of one host's settings.
         */
        get: operations["export_host_changes"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/exports/hosts/{host_id}/comparison.csv": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Export Host Comparison
         * @description One host beside another host, its baseline, its peers, another date or a support bundle.
         */
        get: operations["export_host_comparison"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/exports/hosts/{host_id}/counters.csv": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Export Host Counters
         * @description The points of one host's charts.
         */
        get: operations["export_host_counters"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/exports/hosts/{host_id}/findings.csv": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Export Host Findings
         * @description All findings of one host.
         */
        get: operations["export_host_findings"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/exports/hosts/{host_id}/score.csv": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Export Host Score
         * @description One host's score, rule by rule.
         */
        get: operations["export_host_score"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/exports/hosts/{host_id}/settings.csv": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Export Host Settings
         * @description Every setting of one host's newest configuration.
         */
        get: operations["export_host_settings"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/exports/jobs.csv": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Export Jobs
         * @description Jobs, newest first.
         */
        get: operations["export_jobs"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/exports/judging-runs/{run_id}/hosts.csv": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Export Run Hosts
         * @description The hosts of a preview or of a past state.
         */
        get: operations["export_run_hosts"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/exports/matrix.csv": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Export Matrix
         * @description The whole matrix with the filters of the page.
         */
        get: operations["export_matrix"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/exports/performance/charts.csv": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Export Charts
         * @description The figures of the charts of one or more hosts, a row for each step of each series.
         */
        get: operations["export_charts"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/exports/plans.csv": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Export Plans
         * @description Plans, newest first.
         */
        get: operations["export_plans"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/exports/rules.csv": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Export Rules
         * @description The rules of the active packs with their hosts by outcome.
         */
        get: operations["export_rules"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/exports/rules/{pack}/{rule}/hosts.csv": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Export Rule Hosts
         * @description The findings of one rule.
         */
        get: operations["export_rule_hosts"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/exports/score.csv": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Export Fleet Score
         * @description The fleet's score, rule by rule.
         */
        get: operations["export_fleet_score"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/exports/waivers.csv": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Export Waivers
         * @description The waivers that match.
         */
        get: operations["export_waivers"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/fabric-labels/import": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Import Fabric Labels
         * @description Labels adapters with their fabrics from a CSV, all or nothing; with `is_trial` it only reports what would change.
         */
        post: operations["import_fabric_labels"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/first-steps": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read First Steps
         * @description What a new installation still needs.
         */
        get: operations["read_first_steps"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/freezes": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List Freezes
         * @description Present and future freezes in scope.
         */
        get: operations["list_freezes"];
        put?: never;
        /**
         * Make Freeze
         * @description Freezes a group: no job starts there, also within its windows.
         */
        post: operations["make_freeze"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/freezes/{freeze_id}/end": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * End Freeze
         * @description Ends a freeze before its time.
         */
        post: operations["end_freeze"];
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
         * @description Gives a person a role on a group and its subgroups.
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
         * @description Removes a grant.
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
         * @description Renames a group, moves it, or sets its mode and whether it requires tickets.
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
    "/api/v1/hosts/facets/cluster": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Find Host Clusters
         * @description The clusters with this in their name, with their counts under the other filters, and those chosen.
         */
        get: operations["find_host_clusters"];
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
         * @description Moves a host, tags it, or sets its mode and the roles and fabrics of its adapters.
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
    "/api/v1/hosts/{host_id}/baseline": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read Host Baseline
         * @description One host compared with its accepted baseline.
         */
        get: operations["read_host_baseline"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/hosts/{host_id}/benchmarks": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Import Benchmark
         * @description Imports an output of Vdbench, DiskSpd, NTttcp or Iometer: all runs of the file, or none and the line that is wrong.
         */
        post: operations["import_benchmark"];
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
         * @description Requests a new check-in of the host.
         */
        post: operations["check_host_now"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/hosts/{host_id}/clear-alarm": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Clear Host Alarm
         * @description Clears the alarm that the host's check-ins raised.
         */
        post: operations["clear_host_alarm"];
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
         * @description How the host is read, and the outcome of the last attempt.
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
    "/api/v1/hosts/{host_id}/comparison": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Compare Host
         * @description One host beside another host (`other`), its baseline, the majority of its peers, its best peer, itself on a date (`at`),
         *     its stored values beside the `running` ones, or a host of one's own assessments (`assessed`) as its support bundle shows it.
         *
         *     Only what differs, unless `same` settings are requested too.
         */
        get: operations["compare_host"];
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
         * @description All findings of the host, failing first.
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
    "/api/v1/hosts/{host_id}/gone-subjects": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List Gone Subjects
         * @description What the host had and no longer has: what a new card may have replaced.
         */
        get: operations["list_gone_subjects"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/hosts/{host_id}/hold": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        /**
         * Hold Host
         * @description Blocks jobs on a host.
         */
        put: operations["hold_host"];
        post?: never;
        /**
         * Release Host
         * @description Ends a hold.
         */
        delete: operations["release_host"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/hosts/{host_id}/merge": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Merge Hosts
         * @description This host goes on as another one did, which is retired.
         */
        post: operations["merge_hosts"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/hosts/{host_id}/merge-subjects": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Merge Subjects
         * @description What was known of a replaced part goes on under the one in its place.
         */
        post: operations["merge_subjects"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/hosts/{host_id}/past": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read Host Past
         * @description The host at an instant, under the packs of then or other versions.
         */
        get: operations["read_host_past"];
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
    "/api/v1/hosts/{host_id}/probes": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List Probes
         * @description The newest test pings of a host, with their outcomes.
         */
        get: operations["list_probes"];
        put?: never;
        /**
         * Run Probes
         * @description Sends one do-not-fragment ping of this size from every SAN address of the host to every portal of its paths; nothing is changed.
         */
        post: operations["run_probes"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/hosts/{host_id}/quarantine": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Quarantine Host
         * @description Refuses the host's check-ins until it is released or enrolled again.
         */
        post: operations["quarantine_host"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/hosts/{host_id}/reach": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read Host Reach
         * @description Whether the host can be reached for changes, and why not: lockdown, SSH, its identity, its credential, its runner.
         */
        get: operations["read_host_reach"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/hosts/{host_id}/release-quarantine": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Release Host Quarantine
         * @description Accepts the check-ins of a quarantined host again.
         */
        post: operations["release_host_quarantine"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/hosts/{host_id}/remediation": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read Way To Host
         * @description How the host is reached for changes, and whether its runner is the one of this version.
         */
        get: operations["read_way_to_host"];
        /**
         * Set Way To Host
         * @description Names the credential for changes.
         */
        put: operations["set_way_to_host"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/hosts/{host_id}/remediation/runner": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Install Runner
         * @description Installs the runner of this version on an ESXi host.
         */
        post: operations["install_runner"];
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
    "/api/v1/hosts/{host_id}/rotate-secret": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Rotate Host Secret
         * @description Sends the host a new secret with its next check-in; both secrets work until the new one is first used.
         */
        post: operations["rotate_host_secret"];
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
    "/api/v1/hosts/{host_id}/timeline": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read Host Timeline
         * @description What changed on the host, and which rules began or ceased to fail: since its enrolment, or in the span given.
         */
        get: operations["read_host_timeline"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/hosts/{host_id}/watches": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List Host Watches
         * @description The newest watches of a host, and whether one can be started.
         */
        get: operations["list_host_watches"];
        put?: never;
        /**
         * Start Watch
         * @description Signs in to the host and reads its counters every five seconds for so many minutes.
         */
        post: operations["start_watch"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/jobs": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List Jobs
         * @description Jobs, newest first.
         */
        get: operations["list_jobs"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/jobs/{job_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read Job
         * @description One job with its steps.
         */
        get: operations["read_job"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/jobs/{job_id}/cancel": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Cancel Job
         * @description Ends a job that has not begun, or has it end at its next step boundary.
         */
        post: operations["cancel_job"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/jobs/{job_id}/effect": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read Job Effect
         * @description What counters say of a job, beside hosts that were not treated. An observation, not a proof.
         */
        get: operations["read_job_effect"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/jobs/{job_id}/events": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List Job Events
         * @description Events after a number, for clients that cannot follow the stream.
         */
        get: operations["list_job_events"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/jobs/{job_id}/resolve": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Resolve Job
         * @description Says how a person settled a job that needed one; the host's fence is raised first.
         */
        post: operations["resolve_job"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/jobs/{job_id}/stream": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Follow Job
         * @description `job` events with their number as id, from the one after `Last-Event-ID` on, then `end`.
         */
        get: operations["follow_job"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/jobs/{job_id}/undo": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Undo Job
         * @description Takes back what a job set, if every value still equals what it set; answers the job that does.
         */
        post: operations["undo_job"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/judging-runs": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List Judging Runs
         * @description The newest runs of a kind, without their figures.
         */
        get: operations["list_judging_runs"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/judging-runs/{run_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read Judging Run
         * @description One run: how far it is, and its figures once it is ready.
         */
        get: operations["read_judging_run"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/judging-runs/{run_id}/hosts": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List Judging Run Hosts
         * @description The results of a run by host, the greatest loss of score first.
         */
        get: operations["list_judging_run_hosts"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/lab": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read Lab
         * @description Whether the lab can be removed, and how many hosts would go with it.
         */
        get: operations["read_lab"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/lab/remove": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Remove Lab
         * @description Removes the lab with everything in it; Plumbline starts again empty. Refused (409) while a host here is not simulated.
         */
        post: operations["remove_lab"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/matrix": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read Matrix
         * @description Hosts x rules, or groups of hosts x rules if there are too many hosts for rows of their own.
         */
        get: operations["read_matrix"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/notices": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List Notices
         * @description Notices, newest first, with the outcome of each delivery.
         */
        get: operations["list_notices"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/notices/channels": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List Notice Channels
         * @description The channels of the groups that the caller administers, with the state of each.
         */
        get: operations["list_notice_channels"];
        put?: never;
        /**
         * Make Notice Channel
         * @description Sets a channel up. A webhook's signing secret is shown this once.
         */
        post: operations["make_notice_channel"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/notices/channels/{channel_id}": {
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
         * Remove Notice Channel
         * @description Removes a channel and its address.
         */
        delete: operations["remove_notice_channel"];
        options?: never;
        head?: never;
        /**
         * Change Notice Channel
         * @description Changes a channel.
         */
        patch: operations["change_notice_channel"];
        trace?: never;
    };
    "/api/v1/notices/channels/{channel_id}/secret": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Rotate Notice Channel Secret
         * @description A new signing secret for a webhook, shown this once.
         */
        post: operations["rotate_notice_channel_secret"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/notices/channels/{channel_id}/test": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Try Notice Channel
         * @description Sends a test through the channel, as any notice is sent; the outcome is on the notice.
         */
        post: operations["try_notice_channel"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/notices/deliveries/{delivery_id}/replay": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Replay Notice Delivery
         * @description Sends a notification to one of its channels again, under a new delivery id; the outcome is on the notification.
         */
        post: operations["replay_notice_delivery"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/notices/{notice_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read Notice
         * @description One notice.
         */
        get: operations["read_notice"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/on-call": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read On Call
         * @description Problems that need a person now, the most urgent first, with the fixes that may run at once.
         */
        get: operations["read_on_call"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/on-call/{problem}/acknowledgement": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        /**
         * Acknowledge Problem
         * @description Acknowledges the problem until a time: the caller takes care of it.
         */
        put: operations["acknowledge_problem"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/on-call/{problem}/note": {
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
         * Release Problem
         * @description Ends its acknowledgement or snooze.
         */
        delete: operations["release_problem"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/on-call/{problem}/snooze": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        /**
         * Snooze Problem
         * @description Snoozes the problem until a time, with the reason; it returns sooner if it gets worse.
         */
        put: operations["snooze_problem"];
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
         * @description The overview of a group and its subgroups, compared with `days` days ago.
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
    "/api/v1/pack-drafts": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List Pack Drafts
         * @description Unpublished drafts.
         */
        get: operations["list_pack_drafts"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/pack-drafts/archive": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Upload Pack Archive
         * @description Checks a zip archive of one pack and keeps it as a draft if it is in order.
         */
        post: operations["upload_pack_archive"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/pack-drafts/files": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Upload Pack Files
         * @description The same for YAML files by their paths in the pack.
         */
        post: operations["upload_pack_files"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/pack-drafts/{draft_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read Pack Draft
         * @description One draft.
         */
        get: operations["read_pack_draft"];
        put?: never;
        post?: never;
        /**
         * Discard Pack Draft
         * @description Forgets a draft that was not published.
         */
        delete: operations["discard_pack_draft"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/pack-drafts/{draft_id}/publish": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Publish Pack Draft
         * @description Publishes a draft as an immutable version; it evaluates nothing until it is activated.
         */
        post: operations["publish_pack_draft"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/packs": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List Packs
         * @description Every pack with what is in force in the reader's scope.
         */
        get: operations["list_packs"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/packs/{pack}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read Pack
         * @description One pack: versions, what is in force for each group, history.
         */
        get: operations["read_pack"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/packs/{pack}/activations": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Activate Pack
         * @description Sets what is active for a group from now on.
         */
        post: operations["activate_pack"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/packs/{pack}/beside/{other}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read Packs Beside
         * @description Two packs, such as two editions of one paper, side by side: the rules of one only, and differences of the linked ones.
         */
        get: operations["read_packs_beside"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/packs/{pack}/difference": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read Pack Difference
         * @description What differs between two versions, or a version and a draft.
         */
        get: operations["read_pack_difference"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/past-runs": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Request Past Run
         * @description Queues a run that evaluates a group as of an instant.
         */
        post: operations["request_past_run"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/pending-effects": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List Pending Effects
         * @description Changes that are made and take effect after a restart of their host or with new sessions, newest first; at most 200.
         */
        get: operations["list_pending_effects"];
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
    "/api/v1/people/{person_id}/second-factors": {
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
         * Reset Second Factors
         * @description Removes all second factors of a person who lost them. Their sessions and tokens end.
         */
        delete: operations["reset_second_factors"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/performance/charts": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read Charts
         * @description At most eight series of one or more hosts on common steps, with marks, reference figures and a comparison.
         */
        get: operations["read_charts"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/performance/detector": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read Detector Test
         * @description How often the detector of symptoms opened in the last four weeks, and how often nothing on record explains why.
         */
        get: operations["read_detector_test"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/performance/fleet": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read Fleet Charts
         * @description Small charts of clusters, groups or hosts, worst first.
         */
        get: operations["read_fleet_charts"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/plans": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List Plans
         * @description Plans, newest first.
         */
        get: operations["list_plans"];
        put?: never;
        /**
         * Create Plan
         * @description Drafts a plan for chosen findings; it is planned in the background within seconds.
         */
        post: operations["create_plan"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/plans/{plan_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read Plan
         * @description One plan with its document, jobs and events.
         */
        get: operations["read_plan"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/plans/{plan_id}/approve": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Approve Plan
         * @description Signs the whole plan and lets its jobs begin. Requires the password; the author cannot do it.
         */
        post: operations["approve_plan"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/plans/{plan_id}/break-glass": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Break Glass
         * @description Two admins run a plan without an approver: the first requests it, the second signs. Somebody else has to review it.
         */
        post: operations["break_glass"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/plans/{plan_id}/refuse": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Refuse Plan
         * @description Rejects the plan for good, with the reason.
         */
        post: operations["refuse_plan"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/plans/{plan_id}/resume": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Resume Plan
         * @description Lets a paused plan continue, which accepts the failures so far or ends its bake.
         */
        post: operations["resume_plan"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/plans/{plan_id}/review": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Review Break Glass
         * @description Notes that a person has reviewed a plan that ran without an approver.
         */
        post: operations["review_break_glass"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/plans/{plan_id}/run-under-standing": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Run Plan Under Standing
         * @description Runs the caller's own plan at once, under a standing approval that covers every step of it.
         */
        post: operations["run_plan_under_standing"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/plans/{plan_id}/stop": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Stop Plan
         * @description Ends a running plan: no further job begins, and those that run end at their next step boundary.
         */
        post: operations["stop_plan"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/plans/{plan_id}/submit": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Submit Plan
         * @description Submits the plan for approval.
         */
        post: operations["submit_plan"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/plans/{plan_id}/text": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read Plan Text
         * @description The commands of a plan in order, with what each needs; `undo` returns those that undo it. Nothing is run.
         */
        get: operations["read_plan_text"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/plans/{plan_id}/withdraw": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Withdraw Plan
         * @description Withdraws a plan before any of its jobs has run.
         */
        post: operations["withdraw_plan"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/previews": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Request Preview
         * @description Queues a run that shows what an activation would change, host by host; nothing takes effect.
         */
        post: operations["request_preview"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/proofs": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List Proofs
         * @description Proofs, the newest first.
         */
        get: operations["list_proofs"];
        put?: never;
        /**
         * Make Proof
         * @description Judges runs before and after a change by the papers' method and keeps the verdict.
         */
        post: operations["make_proof"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/proofs/method": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read Proof Method
         * @description The papers' method: bounds, questions, and the papers' own results.
         */
        get: operations["read_proof_method"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/proofs/{proof_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read Proof
         * @description One proof: verdict, runs, what changed between them, and what did not follow the method.
         */
        get: operations["read_proof"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/proofs/{proof_id}/decision": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Decide Proof
         * @description Records what is made of a proof: keep, revert or waive.
         */
        post: operations["decide_proof"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/remediation/workers": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List Remediation Workers
         * @description When each worker last took a task; one that takes none does not work, even if it is connected.
         */
        get: operations["list_remediation_workers"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/report-schedules": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List Report Schedules
         * @description The schedules of reports about groups this person may read.
         */
        get: operations["list_report_schedules"];
        put?: never;
        /**
         * Create Report Schedule
         * @description A new schedule.
         */
        post: operations["create_report_schedule"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/report-schedules/{schedule_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        /**
         * Change Report Schedule
         * @description Replaces a schedule's settings; its reports are made with this person's rights from now on.
         */
        put: operations["change_report_schedule"];
        post?: never;
        /**
         * Remove Report Schedule
         * @description Ends a schedule; the reports that it made stay.
         */
        delete: operations["remove_report_schedule"];
        options?: never;
        head?: never;
        patch?: never;
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
         * @description Reports about groups this person may read, newest first; with `before`, those older than that report.
         */
        get: operations["list_reports"];
        put?: never;
        /**
         * Request Report
         * @description Requests a report, which is made in the background; its state tells when it is ready.
         */
        post: operations["request_report"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/reports/mail-channels": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List Report Mail Channels
         * @description The mail channels by which reports about a group can be mailed.
         */
        get: operations["list_report_mail_channels"];
        put?: never;
        post?: never;
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
         * @description One rendered format. Each download is audited.
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
    "/api/v1/reports/{report_id}/mails": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Mail Report
         * @description Mails a finished report.
         */
        post: operations["mail_report"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/reports/{report_id}/mails/{mail_id}/again": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Mail Report Again
         * @description Mails a report once more, as an earlier mail of it was sent.
         */
        post: operations["mail_report_again"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/reports/{report_id}/pages/{number}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read Report Page
         * @description A picture of one of the PDF's first pages.
         */
        get: operations["read_report_page"];
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
    "/api/v1/rules/{pack}/{rule}/effect": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read Rule Effect
         * @description What fixing a rule did here: counters of its hosts a day before and after their jobs.
         */
        get: operations["read_rule_effect"];
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
         * @description The rule's findings, one for each item.
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
    "/api/v1/rules/{pack}/{rule}/remediations": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List Remediations
         * @description The plans about this rule, newest first, with the outcomes of their jobs, and of the rule on their hosts now.
         */
        get: operations["list_remediations"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/score": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read Fleet Score
         * @description The score of a group and all below it, taken apart to the rules that made it.
         */
        get: operations["read_fleet_score"];
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
         * @description Hosts, rules, saved views and actions whose name contains the words.
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
         * @description Signs in; where the account has a second factor, 202 says how to go on. At most ten tries an account from one network in 15
         *     minutes.
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
    "/api/v1/session/all": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List Own Sessions
         * @description The person's sessions that are in use, this one first.
         */
        get: operations["list_own_sessions"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/session/all/{key}": {
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
         * End Own Session
         * @description Ends one of the person's other sessions.
         */
        delete: operations["end_own_session"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/session/confirm": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Begin Confirmation
         * @description What the browser needs to confirm the person's identity by a passkey: the answer goes to /session/reauthenticate.
         */
        post: operations["begin_confirmation"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/session/end-others": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * End Other Sessions
         * @description Ends all sessions of the person but this one.
         */
        post: operations["end_other_sessions"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/session/password": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Set Own Password
         * @description Sets the person's own password, after the present one. Their other sessions end.
         */
        post: operations["set_own_password"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
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
         * @description Confirms the person's identity, by the password or a second factor, before an act that requires it.
         */
        post: operations["reauthenticate"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/session/recovery-codes": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Make Recovery Codes
         * @description New recovery codes in the place of the present ones, after the password.
         */
        post: operations["make_recovery_codes"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/session/second-factors": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List Second Factors
         * @description The person's second factors.
         */
        get: operations["list_second_factors"];
        put?: never;
        /**
         * Add Second Factor
         * @description Completes a new second factor. With the first one, other sessions end and recovery codes are made.
         */
        post: operations["add_second_factor"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/session/second-factors/begin": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Begin Second Factor
         * @description Begins to add an authenticator app or a passkey, after the password.
         */
        post: operations["begin_second_factor"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/session/second-factors/{factor_id}/remove": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Remove Second Factor
         * @description Removes one of the person's second factors, after the password.
         */
        post: operations["remove_second_factor"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/session/second-step": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Complete Sign In
         * @description Completes a sign-in by a code, a recovery code or a passkey. At most ten tries a person from one network in 15 minutes.
         */
        post: operations["complete_sign_in"];
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
         * @description Whether the first admin still has to be created.
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
    "/api/v1/sign-in/callback": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Finish Sign In
         * @description Where the identity provider sends people back to. An error is passed on as its code; the sign-in page has the texts.
         */
        get: operations["finish_sign_in"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/sign-in/confirm": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Confirm At Provider
         * @description Redirects to the identity provider, where the person confirms their identity before an act that requires it. Works from a page of
         *     this site only.
         */
        get: operations["confirm_at_provider"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/sign-in/groups": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List Group Grants
         * @description Roles of the identity provider's groups.
         */
        get: operations["list_group_grants"];
        put?: never;
        /**
         * Give Group Grant
         * @description Gives a role to a group of the identity provider; its members have the role from their next sign-in on.
         */
        post: operations["give_group_grant"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/sign-in/out": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Sign Out At Provider
         * @description Redirects to the identity provider's page that ends the session there too.
         */
        get: operations["sign_out_at_provider"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/sign-in/policy": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read Sign In Policy
         * @description The rules for signing in.
         */
        get: operations["read_sign_in_policy"];
        /**
         * Set Sign In Policy
         * @description Changes the rules for signing in.
         */
        put: operations["set_sign_in_policy"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/sign-in/provider": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read Provider
         * @description The identity provider as it is set up, without its secret; null where there is none.
         */
        get: operations["read_provider"];
        /**
         * Set Provider
         * @description Sets the identity provider up, changes it, or switches it off.
         */
        put: operations["set_provider"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/sign-in/provider/try": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Try Provider
         * @description Reads the identity provider's documents and reports what works and what does not. Signs no one in.
         */
        post: operations["try_provider"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/sign-in/start": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Start Sign In
         * @description Redirects to the identity provider, which sends the person back to the page `next`. Works from a page of this site only; anybody else
         *     is sent to that page, which has the button.
         */
        get: operations["start_sign_in"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/standing-approvals": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List Standing Approvals
         * @description Standing approvals of groups in scope, active ones first.
         */
        get: operations["list_standing_approvals"];
        put?: never;
        /**
         * Sign Standing Approval
         * @description Signs what operators may run at once. Requires the password; the signer never runs under it.
         */
        post: operations["sign_standing_approval"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/standing-approvals/{standing_id}/withdraw": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Withdraw Standing Approval
         * @description Ends a standing approval: no job begins under it any more, and running ones end at their next step boundary.
         */
        post: operations["withdraw_standing_approval"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/stop-switch": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read Stop Switch
         * @description Whether the emergency stop is on, by whom and why.
         */
        get: operations["read_stop_switch"];
        /**
         * Set Stop Switch
         * @description Stops every job at its next step boundary, or lets jobs begin again.
         */
        put: operations["set_stop_switch"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/stop-switch/lift-restore": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Lift Restore
         * @description Lets jobs continue that a restore stopped; each reads its host first.
         */
        post: operations["lift_restore"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/switch-evidence": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read Switch Evidence
         * @description What one host, or the hosts of a group, hear of their switches, in words: evidence for an attestation.
         */
        get: operations["read_switch_evidence"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/switches": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List Switches
         * @description The switches that hosts are cabled to, by what CDP and LLDP announce; those with the most failing ports first.
         */
        get: operations["list_switches"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/switches/{switch_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read Switch
         * @description One switch with its ports and the hosts behind them, failing ports first.
         */
        get: operations["read_switch"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/system-health": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read Health Of System
         * @description Workers, queue, database, broker, disk, hosts, backup, and the versions of agents.
         */
        get: operations["read_health_of_system"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/system-health/support-file": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Download Support File
         * @description A zip for whoever helps: health, checks, settings, versions and logs, without secrets. Each download is audited.
         */
        get: operations["download_support_file"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/tickets": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Create Ticket
         * @description Sends a ticket. Its number stands on the changes or the problem as soon as the ticket system has answered.
         */
        post: operations["create_ticket"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/tickets/preview": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Preview Ticket
         * @description The text that a ticket would begin with, and the ticket systems that it can be sent to. Nothing is sent.
         */
        post: operations["preview_ticket"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/tokens": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List Api Tokens
         * @description The caller's own tokens, and those on groups that the caller administers.
         */
        get: operations["list_api_tokens"];
        put?: never;
        /**
         * Make Api Token
         * @description A new token, shown this once.
         */
        post: operations["make_api_token"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/tokens/{token_id}": {
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
         * Revoke Api Token
         * @description Ends a token at once.
         */
        delete: operations["revoke_api_token"];
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
        /**
         * Change View
         * @description Lets one's own view open in place of its page, or no longer.
         */
        patch: operations["change_view"];
        trace?: never;
    };
    "/api/v1/waivers": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List Waivers
         * @description Waivers with facets: first those that wait for a decision, then active ones by their end, then ended ones.
         */
        get: operations["list_waivers"];
        put?: never;
        /**
         * Request Waiver
         * @description Requests a waiver; another person decides.
         */
        post: operations["request_waiver"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/waivers/notices": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read Waiver Notices
         * @description What waits for one's decision, and what of one's own ends soon or ended lately.
         */
        get: operations["read_waiver_notices"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/waivers/owners": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List Waiver Owners
         * @description People who may own a waiver.
         */
        get: operations["list_waiver_owners"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/waivers/preview": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Preview Waiver
         * @description What a waiver would change: findings, hosts, scores and caps. Changes nothing.
         */
        post: operations["preview_waiver"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/waivers/{waiver_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read Waiver
         * @description One waiver with its evidence and history.
         */
        get: operations["read_waiver"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/waivers/{waiver_id}/approve": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Approve Waiver
         * @description Puts a waiver in force; never one's own.
         */
        post: operations["approve_waiver"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/waivers/{waiver_id}/files": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Attach To Waiver
         * @description Attaches a file to one's own request, before it is decided on.
         */
        post: operations["attach_to_waiver"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/waivers/{waiver_id}/files/{file_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Download Waiver File
         * @description A file of evidence, as an attachment.
         */
        get: operations["download_waiver_file"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/waivers/{waiver_id}/findings": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List Waived Findings
         * @description The failing findings under a waiver.
         */
        get: operations["list_waived_findings"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/waivers/{waiver_id}/preview": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Preview Requested Waiver
         * @description What a requested waiver would change now.
         */
        get: operations["preview_requested_waiver"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/waivers/{waiver_id}/refuse": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Refuse Waiver
         * @description Refuses a waiver, with the reason.
         */
        post: operations["refuse_waiver"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/waivers/{waiver_id}/withdraw": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Withdraw Waiver
         * @description Ends a waiver, or takes the request for it back.
         */
        post: operations["withdraw_waiver"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/watches/{watch_id}/charts": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read Watch Charts
         * @description At most eight series of a watch on steps of five seconds, with marks and reference figures.
         */
        get: operations["read_watch_charts"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/watches/{watch_id}/stop": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Stop Watch
         * @description Stops a watch; one that is over stays as it is.
         */
        post: operations["stop_watch"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/windows": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List Windows
         * @description Maintenance windows in scope that are in use; with a group, those that a plan for it may name.
         */
        get: operations["list_windows"];
        put?: never;
        /**
         * Make Window
         * @description A new maintenance window.
         */
        post: operations["make_window"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/windows/{window_id}/end": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * End Window
         * @description Ends a window; plans that were signed for it no longer run.
         */
        post: operations["end_window"];
        delete?: never;
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
         * @description 503 while the database does not answer or takes no writes. 200 with `degraded` while another part is down: this process serves.
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
         * Acknowledge
         * @description Until when a problem is acknowledged; by default for four hours, at most for a day.
         */
        Acknowledge: {
            /** Until */
            until?: string | null;
        };
        /**
         * Activation
         * @description What is in force for a group from now on: a version, none (`off`), or what the group above has (`inherit`).
         */
        Activation: {
            /** Grace Until */
            grace_until?: string | null;
            /** Group Id */
            group_id: number;
            /** Reason */
            reason: string;
            /** Version Id */
            version_id?: number | null;
            /**
             * What
             * @enum {string}
             */
            what: "version" | "off" | "inherit";
        };
        /**
         * AdapterSwitch
         * @description The switch port that an adapter is cabled to, as the switch announces it; null for an MTU or VLAN that it does not announce.
         *
         *     `unknown` says why it is not known, and is empty where it is; `cause` names the port as the likely cause of frames that do not get
         *     through, and is empty where they do, or where the port announces enough.
         */
        AdapterSwitch: {
            /** Address */
            address: string;
            /** Cause */
            cause: string;
            /** Id */
            id: string;
            /** Mtu */
            mtu: number | null;
            /** Name */
            name: string;
            /** Native Vlan */
            native_vlan: number | null;
            /** Own Classes */
            own_classes: string[];
            /** Own Flow Control */
            own_flow_control: number[];
            /** Platform */
            platform: string;
            /** Port */
            port: string;
            /** Protocol */
            protocol: string;
            /** Remote Classes */
            remote_classes: string[];
            /** Remote Flow Control */
            remote_flow_control: number[];
            /** Unknown */
            unknown: string;
        };
        /**
         * AgentVersions
         * @description How many hosts have this version of the agent. `source`: their own agent, or Plumbline's collector.
         */
        AgentVersions: {
            /** Hosts */
            hosts: number;
            /** Platform */
            platform: string;
            /** Source */
            source: string;
            /** Version */
            version: string;
        };
        /**
         * AnswerOut
         * @description A question of the method with its answer.
         */
        AnswerOut: {
            /**
             * Answer
             * @enum {string}
             */
            answer: "yes" | "no" | "unknown";
            /** At */
            at: string;
            /**
             * Name
             * @enum {string}
             */
            name: "restarted_before_each_run" | "sessions_checked" | "load_balancing_off" | "one_change" | "san_isolated";
            /** Question */
            question: string;
        };
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
         * ApprovalOut
         * @description Who approved a plan, and how.
         */
        ApprovalOut: {
            /** Approver */
            approver: string;
            /** Key Id */
            key_id: string;
            /**
             * Kind
             * @enum {string}
             */
            kind: "person" | "standing" | "break_glass";
            /** Review By */
            review_by: string | null;
            /** Reviewed At */
            reviewed_at: string | null;
            /** Reviewed By */
            reviewed_by: string;
            /** Second */
            second: string;
            /**
             * Signed At
             * Format: date-time
             */
            signed_at: string;
            /** Standing Id */
            standing_id: number | null;
        };
        /**
         * AssessedFinding
         * @description One finding on a host of a bundle.
         */
        AssessedFinding: {
            evidence: components["schemas"]["EvidenceLine"] | null;
            /** Expected */
            expected: string;
            /** Headline */
            headline: string;
            /** Item */
            item: string;
            /** Observed */
            observed: string;
            /** Pack */
            pack: string;
            /** Reason */
            reason: string;
            /** Rule */
            rule: string;
            /** Status */
            status: string;
            /** Title */
            title: string;
        };
        /**
         * AssessedHost
         * @description One host with its findings. `notes` are sentences about its bundle, `unread` files that were not understood.
         *
         *     `fleet` are the hosts of the fleet that it may be, the likeliest first. `has_settings` is false where it was assessed by a version that
         *     kept none: then it can neither be compared nor planned.
         */
        AssessedHost: {
            /** Advice */
            advice: components["schemas"]["AssessedFinding"][];
            /** Answered */
            answered: number;
            /** Applicable */
            applicable: number;
            /** Build */
            build: string;
            /** Bundle */
            bundle: string;
            /** Capped By */
            capped_by: string[];
            /** Captured At */
            captured_at: string;
            /** Failing */
            failing: number;
            /** Fails */
            fails: components["schemas"]["AssessedFinding"][];
            /** Fleet */
            fleet: components["schemas"]["FleetHost"][];
            /** Has Settings */
            has_settings: boolean;
            /** Id */
            id: number;
            /** Kind Label */
            kind_label: string;
            /** Model */
            model: string;
            /** Name */
            name: string;
            /** Notes */
            notes: string[];
            /** Os */
            os: string;
            /** Partly */
            partly: number;
            /** Passes */
            passes: components["schemas"]["AssessedFinding"][];
            /** Passing */
            passing: number;
            /**
             * Platform
             * @enum {string}
             */
            platform: "windows" | "esxi";
            /** Score */
            score: number | null;
            /** Unknown */
            unknown: number;
            /** Unknowns */
            unknowns: components["schemas"]["AssessedFinding"][];
            /** Unread */
            unread: {
                [key: string]: string;
            }[];
        };
        /**
         * AssessedHostRow
         * @description One host of an assessment.
         */
        AssessedHostRow: {
            /** Answered */
            answered: number;
            /** Applicable */
            applicable: number;
            /** Captured At */
            captured_at: string;
            /** Failing */
            failing: number;
            /** Id */
            id: number;
            /** Kind Label */
            kind_label: string;
            /** Name */
            name: string;
            /** Os */
            os: string;
            /** Passing */
            passing: number;
            /**
             * Platform
             * @enum {string}
             */
            platform: "windows" | "esxi";
            /** Score */
            score: number | null;
            /** Unknown */
            unknown: number;
        };
        /**
         * AssessmentCreate
         * @description Announces the upload of a bundle.
         */
        AssessmentCreate: {
            /** Name */
            name: string;
            /** Size Bytes */
            size_bytes: number;
        };
        /**
         * AssessmentDetail
         * @description An assessment with the first of its hosts, the lowest score first, and what the bundle as a whole tells.
         *
         *     `match_count` is the number of hosts with the name that was searched for: all of them where none was.
         */
        AssessmentDetail: {
            /**
             * Created At
             * Format: date-time
             */
            created_at: string;
            /** Error */
            error: string;
            /** Host Count */
            host_count: number;
            /** Hosts */
            hosts: components["schemas"]["AssessedHostRow"][];
            /** Id */
            id: number;
            /** Match Count */
            match_count: number;
            /** Name */
            name: string;
            /** Notes */
            notes: string[];
            /** Read Bytes */
            read_bytes: number;
            /** Received Bytes */
            received_bytes: number;
            /** Refused */
            refused: {
                [key: string]: string;
            }[];
            /** Sha256 */
            sha256: string;
            /** Size Bytes */
            size_bytes: number;
            /**
             * State
             * @enum {string}
             */
            state: "receiving" | "reading" | "ready" | "failed";
            /** Unused */
            unused: string[];
            /** Unused Count */
            unused_count: number;
        };
        /**
         * AssessmentRow
         * @description One assessment in a list. `received_bytes` counts while it arrives, `read_bytes` while it is read.
         */
        AssessmentRow: {
            /**
             * Created At
             * Format: date-time
             */
            created_at: string;
            /** Error */
            error: string;
            /** Host Count */
            host_count: number;
            /** Id */
            id: number;
            /** Name */
            name: string;
            /** Read Bytes */
            read_bytes: number;
            /** Received Bytes */
            received_bytes: number;
            /** Size Bytes */
            size_bytes: number;
            /**
             * State
             * @enum {string}
             */
            state: "receiving" | "reading" | "ready" | "failed";
        };
        /**
         * AttestableRule
         * @description A rule that people attest, with the linked rules (`also`), and its hosts by their current status.
         */
        AttestableRule: {
            /** Also */
            also: components["schemas"]["WaivedRule"][];
            /** Attested */
            attested: number;
            /** Expected */
            expected: string;
            /** Manual */
            manual: string[];
            /** Not Applicable */
            not_applicable: number;
            /** Not So */
            not_so: number;
            rule: components["schemas"]["WaivedRule"];
            /** Unknown */
            unknown: number;
            /** Why */
            why: string;
        };
        /**
         * AttestationCreate
         * @description A statement about something that hosts can't report. Exactly one of `host_id` and `group_id` is given.
         */
        AttestationCreate: {
            /**
             * Evidence Link
             * @default
             */
            evidence_link?: string;
            /**
             * Expires At
             * Format: date-time
             */
            expires_at: string;
            /** Group Id */
            group_id?: number | null;
            /** Host Id */
            host_id?: string | null;
            /** Is So */
            is_so: boolean;
            /** Pack */
            pack: string;
            /** Rule */
            rule: string;
            /** Statement */
            statement: string;
        };
        /**
         * AttestationRow
         * @description An attestation: the rule that it was made for, and the linked rules that it counts for as well (`also`).
         */
        AttestationRow: {
            /** Also */
            also: components["schemas"]["WaivedRule"][];
            author: components["schemas"]["PersonName"];
            /** End Words */
            end_words: string;
            /** Ended At */
            ended_at: string | null;
            /** Evidence Link */
            evidence_link: string;
            /** Expected */
            expected: string;
            /**
             * Expires At
             * Format: date-time
             */
            expires_at: string;
            /** Files */
            files: components["schemas"]["EvidenceFileOut"][];
            /** Group Id */
            group_id: number | null;
            /** Group Name */
            group_name: string;
            host: components["schemas"]["NamedHost"] | null;
            /** Id */
            id: number;
            /** Is So */
            is_so: boolean;
            /**
             * Made At
             * Format: date-time
             */
            made_at: string;
            /** May Withdraw */
            may_withdraw: boolean;
            rule: components["schemas"]["WaivedRule"];
            /**
             * State
             * @enum {string}
             */
            state: "active" | "expired" | "withdrawn" | "replaced";
            /** Statement */
            statement: string;
        };
        /**
         * Attestations
         * @description What can be attested, and what was.
         */
        Attestations: {
            /** Items */
            items: components["schemas"]["AttestationRow"][];
            /** Longest Days */
            longest_days: number;
            /** Rules */
            rules: components["schemas"]["AttestableRule"][];
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
         * @description One entry. The task that chains entries fills in `number` and `is_chained` within a second.
         *
         *     `who`, `what` and `about` are actor, action and object in words, by their present names.
         */
        AuditRow: {
            /** About */
            about: string;
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
            /** What */
            what: string;
            /** Who */
            who: string;
        };
        /**
         * AuthenticatorSetup
         * @description What an authenticator app needs. Shown once.
         */
        AuthenticatorSetup: {
            /** Address */
            address: string;
            /** Qr Code */
            qr_code: string;
            /** Secret */
            secret: string;
        };
        /**
         * BaselineDecision
         * @description Why, in the words that the proposer reads; may be left out where a proposal is accepted.
         */
        BaselineDecision: {
            /**
             * Reason
             * @default
             */
            reason?: string;
        };
        /**
         * BaselineDetail
         * @description One proposal with the hosts that it changes most; `hosts_not_shown` of them are left out.
         */
        BaselineDetail: {
            /** Changes */
            changes: components["schemas"]["ProposedHost"][];
            /** Decided At */
            decided_at: string | null;
            /** Decided By */
            decided_by: string;
            /** Decided Reason */
            decided_reason: string;
            /** Group Id */
            group_id: number;
            /** Group Name */
            group_name: string;
            host: components["schemas"]["NamedHost"] | null;
            /** Hosts */
            hosts: number;
            /** Hosts Not Shown */
            hosts_not_shown: number;
            /** Id */
            id: number;
            /** May Decide */
            may_decide: boolean;
            /** May Withdraw */
            may_withdraw: boolean;
            /**
             * Proposed At
             * Format: date-time
             */
            proposed_at: string;
            /** Proposed By */
            proposed_by: string;
            /** Proposed By Id */
            proposed_by_id: number;
            /** Reason */
            reason: string;
            /** Settings */
            settings: number | null;
            /**
             * State
             * @enum {string}
             */
            state: "proposed" | "accepted" | "refused" | "withdrawn";
            /** Ticket */
            ticket: string;
            /** Why Not Decide */
            why_not_decide: string;
        };
        /**
         * BaselineList
         * @description Proposals, newest first. `next` goes into `after`. `waiting` counts those that are not decided yet.
         */
        BaselineList: {
            /** Items */
            items: components["schemas"]["BaselineRow"][];
            /** May Propose */
            may_propose: boolean;
            /** Next */
            next: number | null;
            /** Waiting */
            waiting: number;
        };
        /**
         * BaselineProposal
         * @description Proposes the present configuration of one host, or of every host of a group and below it, as the baseline; or, by the numbers of
         *     changes, only the present values of those settings.
         */
        BaselineProposal: {
            /** Change Ids */
            change_ids?: number[];
            /** Group Id */
            group_id?: number | null;
            /** Host Id */
            host_id?: string | null;
            /** Reason */
            reason: string;
            /**
             * Ticket
             * @default
             */
            ticket?: string;
        };
        /**
         * BaselineRefusal
         * @description Why not, in the words that the proposer reads.
         */
        BaselineRefusal: {
            /** Reason */
            reason: string;
        };
        /**
         * BaselineRow
         * @description One proposal and what came of it. `host` None: it is for the group and all below it, `hosts` of them.
         *
         *     `why_not_decide`: why the one who reads it may not decide on it, in words; empty where he may or where nothing waits.
         */
        BaselineRow: {
            /** Decided At */
            decided_at: string | null;
            /** Decided By */
            decided_by: string;
            /** Decided Reason */
            decided_reason: string;
            /** Group Id */
            group_id: number;
            /** Group Name */
            group_name: string;
            host: components["schemas"]["NamedHost"] | null;
            /** Hosts */
            hosts: number;
            /** Id */
            id: number;
            /** May Decide */
            may_decide: boolean;
            /** May Withdraw */
            may_withdraw: boolean;
            /**
             * Proposed At
             * Format: date-time
             */
            proposed_at: string;
            /** Proposed By */
            proposed_by: string;
            /** Proposed By Id */
            proposed_by_id: number;
            /** Reason */
            reason: string;
            /** Settings */
            settings: number | null;
            /**
             * State
             * @enum {string}
             */
            state: "proposed" | "accepted" | "refused" | "withdrawn";
            /** Ticket */
            ticket: string;
            /** Why Not Decide */
            why_not_decide: string;
        };
        /**
         * BenchmarkImport
         * @description An output of a benchmark tool as it was written, and for Vdbench the parameter file. Both are Base64: they need not be UTF-8.
         *
         *     `measured_at` is when the first run began; needed where the output does not give the time in UTC.
         */
        BenchmarkImport: {
            /**
             * Content
             * Format: base64
             */
            content: string;
            /** Measured At */
            measured_at?: string | null;
            /** Name */
            name: string;
            /** Parameter Content */
            parameter_content?: string | null;
            /**
             * Parameter Name
             * @default
             */
            parameter_name?: string;
        };
        /**
         * BrokenGlass
         * @description A plan that two admins run, or are about to run, without an approver.
         *
         *     `asked`: the first admin requested it, nothing runs yet. `broken`: it was signed, and somebody who had no part in it has to review it.
         */
        BrokenGlass: {
            /**
             * At
             * Format: date-time
             */
            at: string;
            /** First */
            first: string;
            /** Is Overdue */
            is_overdue: boolean;
            /**
             * May
             * @enum {string}
             */
            may: "review" | "join" | "";
            /** Plan Id */
            plan_id: number;
            /** Reason */
            reason: string;
            /** Review By */
            review_by: string | null;
            /** Second */
            second: string;
            /**
             * State
             * @enum {string}
             */
            state: "asked" | "broken";
            /** Title */
            title: string;
        };
        /**
         * BudgetSet
         * @description How many hosts of a fabric or a group may be changed at a time.
         */
        BudgetSet: {
            /** Domain */
            domain: string;
            /** Slots */
            slots: number;
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
            /** Job Id */
            job_id: number | null;
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
            subject: components["schemas"]["SubjectOut"];
        };
        /**
         * ChangeBetween
         * @description A setting that changed between the last run before and the first run after.
         */
        ChangeBetween: {
            /**
             * At
             * Format: date-time
             */
            at: string;
            /** Cause */
            cause: string;
            /** Item */
            item: string;
            /** Label */
            label: string;
            /** New */
            new: string;
            /** Old */
            old: string;
        };
        /**
         * ChangeEffect
         * @description The same change of one setting, on one or more hosts and items.
         */
        ChangeEffect: {
            /** Host Count */
            host_count: number;
            /** Key */
            key: string;
            /** Label */
            label: string;
            /** New */
            new: string;
            /** Old */
            old: string;
            /** Subjects */
            subjects: number;
        };
        /**
         * ChangeGroup
         * @description One event: everything that one happening changed on one or more hosts.
         *
         *     `id` is the number of its oldest change. The setting that says most of it is the headline (`key`, `label`, `old`, `new`); `effects` are
         *     the first of the other changes, `effect_count` all of them. `subjects`: how many adapters, volumes and so on the headline is about;
         *     `subject` names it where it is one. `is_expected`: a job of ours did it, or a person marked it (`mark`).
         *     `hosts` and `jobs` name the first.
         */
        ChangeGroup: {
            /** Cause */
            cause: string;
            /** Cause Detail */
            cause_detail: string;
            /** Change Count */
            change_count: number;
            /** Effect Count */
            effect_count: number;
            /** Effects */
            effects: components["schemas"]["ChangeEffect"][];
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
            /** Id */
            id: string;
            /** Is Expected */
            is_expected: boolean;
            /** Job Count */
            job_count: number;
            /** Jobs */
            jobs: components["schemas"]["JobOfChange"][];
            /** Key */
            key: string;
            /** Label */
            label: string;
            /**
             * Last At
             * Format: date-time
             */
            last_at: string;
            mark: components["schemas"]["ChangeMarkOut"] | null;
            /** New */
            new: string;
            /** Old */
            old: string;
            subject: components["schemas"]["SubjectOut"] | null;
            /** Subjects */
            subjects: number;
            /** Tickets */
            tickets: components["schemas"]["TicketOut"][];
        };
        /**
         * ChangeMarkCreate
         * @description Marks changes as expected, with the reason.
         */
        ChangeMarkCreate: {
            /** Change Ids */
            change_ids: number[];
            /** Reason */
            reason: string;
            /**
             * Ticket
             * @default
             */
            ticket?: string;
        };
        /**
         * ChangeMarkMade
         * @description The mark, and how many changes it covers.
         */
        ChangeMarkMade: {
            /** Changes */
            changes: number;
            /** Id */
            id: number;
        };
        /**
         * ChangeMarkOut
         * @description Who marked changes as expected, and why.
         */
        ChangeMarkOut: {
            /**
             * At
             * Format: date-time
             */
            at: string;
            /** By */
            by: string;
            /** Id */
            id: number;
            /** Reason */
            reason: string;
            /** Ticket */
            ticket: string;
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
         * ChannelCreate
         * @description A new channel for the notices of a group, or a ticket system for what people send there.
         *
         *     `mail` for mail, and `address` for every other; `ticket_form` and `ticket_login` for a ticket system.
         */
        ChannelCreate: {
            /**
             * Address
             * @default
             */
            address?: string;
            /** Group Id */
            group_id: number;
            /** Kinds */
            kinds?: ("paths" | "symptom" | "guard_rail" | "needs_human" | "waiting_job" | "failed_job" | "worse" | "silent" | "alarm" | "approval" | "ending" | "break_glass" | "grant" | "password" | "provider" | "plumbline" | "job" | "report" | "drift" | "ticket" | "test")[];
            mail?: components["schemas"]["MailTo"] | null;
            /** Name */
            name: string;
            ticket_form?: components["schemas"]["TicketFormIn-Input"] | null;
            ticket_login?: components["schemas"]["TicketLogin"] | null;
            /**
             * Way
             * @enum {string}
             */
            way: "webhook" | "mail" | "chat" | "heartbeat" | "ticket";
        };
        /**
         * ChannelList
         * @description The channels that the caller administers, the kinds of notices, and the chat services.
         *
         *     `has_heartbeat`: a service outside would notice if all of Plumbline stopped.
         */
        ChannelList: {
            /** Channels */
            channels: components["schemas"]["ChannelOut"][];
            /** Chats */
            chats: string[];
            /** Has Heartbeat */
            has_heartbeat: boolean;
            /** Kinds */
            kinds: components["schemas"]["KindOut"][];
        };
        /**
         * ChannelMade
         * @description A channel, with the new secret that signs a webhook's messages, shown this once; empty for other transports.
         */
        ChannelMade: {
            /**
             * Changed At
             * Format: date-time
             */
            changed_at: string;
            /** Changed By */
            changed_by: string;
            /** Failing Since */
            failing_since: string | null;
            /** Group Id */
            group_id: number;
            /** Group Name */
            group_name: string;
            /** Id */
            id: number;
            /** Kinds */
            kinds: ("paths" | "symptom" | "guard_rail" | "needs_human" | "waiting_job" | "failed_job" | "worse" | "silent" | "alarm" | "approval" | "ending" | "break_glass" | "grant" | "password" | "provider" | "plumbline" | "job" | "report" | "drift" | "ticket" | "test")[];
            /** Name */
            name: string;
            /** Ok At */
            ok_at: string | null;
            /** Old Secret Until */
            old_secret_until: string | null;
            /** Shown */
            shown: string;
            /** Signing Secret */
            signing_secret: string;
            /**
             * State
             * @enum {string}
             */
            state: "off" | "untried" | "works" | "fails";
            ticket_form: components["schemas"]["TicketFormIn-Output"] | null;
            /** Waiting */
            waiting: number;
            /**
             * Way
             * @enum {string}
             */
            way: "webhook" | "mail" | "chat" | "heartbeat" | "ticket";
            /** Words */
            words: string;
        };
        /**
         * ChannelOut
         * @description A channel. `shown` is as much of its address as may be shown.
         */
        ChannelOut: {
            /**
             * Changed At
             * Format: date-time
             */
            changed_at: string;
            /** Changed By */
            changed_by: string;
            /** Failing Since */
            failing_since: string | null;
            /** Group Id */
            group_id: number;
            /** Group Name */
            group_name: string;
            /** Id */
            id: number;
            /** Kinds */
            kinds: ("paths" | "symptom" | "guard_rail" | "needs_human" | "waiting_job" | "failed_job" | "worse" | "silent" | "alarm" | "approval" | "ending" | "break_glass" | "grant" | "password" | "provider" | "plumbline" | "job" | "report" | "drift" | "ticket" | "test")[];
            /** Name */
            name: string;
            /** Ok At */
            ok_at: string | null;
            /** Old Secret Until */
            old_secret_until: string | null;
            /** Shown */
            shown: string;
            /**
             * State
             * @enum {string}
             */
            state: "off" | "untried" | "works" | "fails";
            ticket_form: components["schemas"]["TicketFormIn-Output"] | null;
            /** Waiting */
            waiting: number;
            /**
             * Way
             * @enum {string}
             */
            way: "webhook" | "mail" | "chat" | "heartbeat" | "ticket";
            /** Words */
            words: string;
        };
        /**
         * ChannelUpdate
         * @description Only the fields that are sent are changed.
         */
        ChannelUpdate: {
            /** Address */
            address?: string | null;
            /** Is Enabled */
            is_enabled?: boolean | null;
            /** Kinds */
            kinds?: ("paths" | "symptom" | "guard_rail" | "needs_human" | "waiting_job" | "failed_job" | "worse" | "silent" | "alarm" | "approval" | "ending" | "break_glass" | "grant" | "password" | "provider" | "plumbline" | "job" | "report" | "drift" | "ticket" | "test")[] | null;
            mail?: components["schemas"]["MailTo"] | null;
            /** Name */
            name?: string | null;
            ticket_form?: components["schemas"]["TicketFormIn-Input"] | null;
            ticket_login?: components["schemas"]["TicketLogin"] | null;
        };
        /**
         * ChartComparison
         * @description What the lines are compared with: the same series earlier, or the mean of the cluster peers.
         */
        ChartComparison: {
            /**
             * Kind
             * @enum {string}
             */
            kind: "week" | "peers" | "job";
            /** Label */
            label: string;
            /** Lines */
            lines: components["schemas"]["ChartLine"][];
            /** Note */
            note: string;
            /** Shift Seconds */
            shift_seconds: number;
        };
        /**
         * ChartHost
         * @description A host in the charts, and what can be drawn of it.
         */
        ChartHost: {
            /** Choices */
            choices: components["schemas"]["SeriesChoice"][];
            /** Cluster */
            cluster: string;
            /** Group Name */
            group_name: string;
            /** Id */
            id: string;
            /** Name */
            name: string;
            /** Not Given */
            not_given: string[];
            /** Platform */
            platform: string;
        };
        /**
         * ChartLine
         * @description One series on the common steps: a mean for each step, null where nothing is known; extremes where a step has several readings.
         */
        ChartLine: {
            /** Highs */
            highs: (number | null)[] | null;
            /** Host Id */
            host_id: string;
            /** Host Name */
            host_name: string;
            /** Id */
            id: string;
            /** Label */
            label: string;
            /** Lows */
            lows: (number | null)[] | null;
            /** Name */
            name: string;
            statistics: components["schemas"]["Statistics"];
            /** Subject */
            subject: string;
            /** Unit */
            unit: string;
            /** Values */
            values: (number | null)[];
        };
        /**
         * ChartMark
         * @description Something that happened to a host, or to the rules, with the address of its page.
         */
        ChartMark: {
            /**
             * At
             * Format: date-time
             */
            at: string;
            /** Host Id */
            host_id?: string | null;
            /**
             * Href
             * @default
             */
            href?: string;
            /**
             * Kind
             * @enum {string}
             */
            kind: "change" | "driver" | "restart" | "job" | "pack" | "event";
            /** Label */
            label: string;
        };
        /**
         * ChartReference
         * @description A figure to compare a counter with. `is_limit`: to exceed it is a symptom.
         */
        ChartReference: {
            /** Is Limit */
            is_limit: boolean;
            /** Label */
            label: string;
            /** Name */
            name: string;
            /** Source */
            source: string;
            /** Unit */
            unit: string;
            /** Value */
            value: number;
        };
        /**
         * Charts
         * @description Series of one or more hosts on common steps, at most 1,000 of them.
         */
        Charts: {
            comparison: components["schemas"]["ChartComparison"] | null;
            /**
             * From
             * Format: date-time
             */
            from: string;
            /** Hosts */
            hosts: components["schemas"]["ChartHost"][];
            /** Is Downsampled */
            is_downsampled: boolean;
            /** Marks */
            marks: components["schemas"]["ChartMark"][];
            /** Reading Seconds */
            reading_seconds: number;
            /** References */
            references: components["schemas"]["ChartReference"][];
            /** Series */
            series: components["schemas"]["ChartLine"][];
            /**
             * Starts At
             * Format: date-time
             */
            starts_at: string;
            /** Step Seconds */
            step_seconds: number;
            /**
             * To
             * Format: date-time
             */
            to: string;
        };
        /**
         * Checklist
         * @description What only a person can do for these findings of a host, step by step, and why.
         */
        Checklist: {
            /** Because */
            because: string;
            /** Findings */
            findings: components["schemas"]["FindingRef"][];
            /** Host */
            host: string;
            /** Host Name */
            host_name: string;
            /** Steps */
            steps: string[];
        };
        /**
         * ChosenVersion
         * @description A pack that a run evaluates otherwise than what is, or was, in force. `version` empty: switched off.
         */
        ChosenVersion: {
            /** In Grace */
            in_grace: boolean;
            /** Is Draft */
            is_draft: boolean;
            /** Pack */
            pack: string;
            /** Version */
            version: string;
        };
        /**
         * ClockCount
         * @description Counts of hosts that drift from one reference, and of hosts for which this is unknown.
         */
        ClockCount: {
            /** Clock */
            clock: string;
            /** Drift */
            drift: number;
            /** Unknown */
            unknown: number;
        };
        /**
         * CollectedHost
         * @description A host that Plumbline reads, with the outcome of the last attempt.
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
            /** Last Error Code */
            last_error_code: string;
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
            /**
             * Source
             * @enum {string}
             */
            source: "agent" | "collector" | "bundle";
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
            /**
             * Keeps Agent
             * @default false
             */
            keeps_agent?: boolean;
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
         * Command
         * @description What a person would type for a part of a step. Shown and copied, never run by us: the runner acts on the elements.
         *
         *     `element` is the place of its element in the step, -1 for the restart that all of them share.
         */
        Command: {
            /**
             * Element
             * @default -1
             */
            element?: number;
            /**
             * Shell
             * @enum {string}
             */
            shell: "powershell" | "esxcli";
            /** Text */
            text: string;
        };
        /**
         * ComparedBundle
         * @description The host of a support bundle on the right side. `likeness` says whether it is this host, `identity` by which marks.
         */
        ComparedBundle: {
            /** Assessed Id */
            assessed_id: number;
            /** Assessment Id */
            assessment_id: number;
            /** Bundle */
            bundle: string;
            /** Captured At */
            captured_at: string;
            /** Identity */
            identity: string;
            /** Kind Label */
            kind_label: string;
            /**
             * Likeness
             * @enum {string}
             */
            likeness: "same" | "unsure" | "other";
            /** Name */
            name: string;
        };
        /**
         * ComparedFinding
         * @description A finding that fails on one side only: `new` fails on the host now, `fixed` failed in the bundle. A side without it is None: the item
         *     is not there, or the rule does not apply to it.
         */
        ComparedFinding: {
            left: components["schemas"]["FindingSide"] | null;
            /** Pack */
            pack: string;
            right: components["schemas"]["FindingSide"] | null;
            /** Rule */
            rule: string;
            subject: components["schemas"]["SubjectOut"];
            /** Title */
            title: string;
            /**
             * What
             * @enum {string}
             */
            what: "new" | "fixed";
        };
        /**
         * ComparedPeer
         * @description A host that may be compared with: one of the peers, best score first.
         */
        ComparedPeer: {
            /** Id */
            id: string;
            /** Name */
            name: string;
            /** Score */
            score: number | null;
        };
        /**
         * ComparedRule
         * @description A rule that reads the setting and fails on this host, with the points of the score that it takes.
         */
        ComparedRule: {
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
         * ComparedSetting
         * @description One setting on both sides; `left` is the host itself. With an empty label a whole item is on one side only.
         *
         *     `subject` is the item on the left, or on the right where only that has it. For the majority of peers, `agreeing` of `peers` have the
         *     value, and `odd` are the others. `restore_to` is the right value as a plan sets it; None where it cannot be set, and `why_not_restore`
         *     says why. `member` is the file of a bundle that the right value was read from.
         */
        ComparedSetting: {
            /** Agreeing */
            agreeing: number | null;
            /** Is Configured */
            is_configured: boolean;
            /** Key */
            key: string;
            /** Label */
            label: string;
            /** Left */
            left: string;
            /**
             * Member
             * @default
             */
            member?: string;
            /** Odd */
            odd: components["schemas"]["OddPeer"][];
            other_subject: components["schemas"]["SubjectOut"] | null;
            /** Peers */
            peers: number | null;
            /** Restore To */
            restore_to: unknown;
            /** Right */
            right: string;
            /** Rules */
            rules: components["schemas"]["ComparedRule"][];
            subject: components["schemas"]["SubjectOut"];
            /**
             * What
             * @enum {string}
             */
            what: "same" | "differs" | "only_left" | "only_right" | "not_known";
            /** Why Not Restore */
            why_not_restore: string;
        };
        /**
         * Confirmation
         * @description Who it is, before an act that requires it again: the password, a code of the app, or a passkey's answer with its step.
         */
        Confirmation: {
            /** Code */
            code?: string | null;
            passkey?: components["schemas"]["PasskeyAnswer"] | null;
            /** Password */
            password?: string | null;
            /** Step */
            step?: string | null;
        };
        /**
         * Confirmed
         * @description An act for which the person signs in once more. The password is left out by people who signed in again at
         *     their identity provider, or confirmed by a second factor (`/session/reauthenticate`), within the last five minutes.
         */
        Confirmed: {
            /**
             * Password
             * @default
             */
            password?: string;
        };
        /**
         * ConfirmedReason
         * @description The same, with a reason.
         */
        ConfirmedReason: {
            /**
             * Password
             * @default
             */
            password?: string;
            /** Reason */
            reason: string;
        };
        /**
         * ConflictCard
         * @description Two rules of different packs that no value of one setting can satisfy, where both evaluate a host.
         */
        ConflictCard: {
            /** Decisions */
            decisions: components["schemas"]["DecisionOut"][];
            first: components["schemas"]["ConflictSide"];
            /** Groups */
            groups: components["schemas"]["GroupName"][];
            /** Hosts */
            hosts: number;
            /** Hosts Undecided */
            hosts_undecided: number;
            /** Id */
            id: string;
            /** Key */
            key: string;
            /** Label */
            label: string;
            second: components["schemas"]["ConflictSide"];
            /** Some Hosts */
            some_hosts: components["schemas"]["ConflictHost"][];
        };
        /**
         * ConflictHost
         * @description A host that the conflict meets; `decided` is the id of the decision that holds there.
         */
        ConflictHost: {
            /** Decided */
            decided: number | null;
            group: components["schemas"]["GroupName"];
            host: components["schemas"]["NamedHost"];
            /** Subjects */
            subjects: number;
        };
        /**
         * ConflictList
         * @description The conflicts in scope, undecided ones first.
         */
        ConflictList: {
            /** Items */
            items: components["schemas"]["ConflictCard"][];
            /** Undecided */
            undecided: number;
        };
        /**
         * ConflictSide
         * @description One of the two demands: the rule that makes it, linked rules (`also`), what it requires and why. Decisions name its `demand`.
         */
        ConflictSide: {
            /** Also */
            also: string[];
            /** Asks */
            asks: string;
            /** Demand */
            demand: string;
            /** Evidence */
            evidence: components["schemas"]["EvidenceOut"][];
            /** Pack */
            pack: string;
            /** Rule */
            rule: string;
            /** Title */
            title: string;
            /** Weight */
            weight: number;
            /** Why */
            why: string;
        };
        /**
         * CounterEffect
         * @description What one counter says of a job. `difference` is the change of the host less the change of untreated hosts; `low` to `high` its 95 %
         *     interval. Values are in `unit`; loads in bytes a second.
         */
        CounterEffect: {
            /** After */
            after: number | null;
            /**
             * Answer
             * @enum {string}
             */
            answer: "better" | "worse" | "no_effect" | "too_few_samples" | "too_little_load" | "load_differs" | "no_controls";
            /** Before */
            before: number | null;
            /** Controls */
            controls: number;
            /** Controls After */
            controls_after: number | null;
            /** Controls Before */
            controls_before: number | null;
            /** Difference */
            difference: number | null;
            /** High */
            high: number | null;
            /** Is Lower Better */
            is_lower_better: boolean;
            /** Label */
            label: string;
            /** Load After */
            load_after: number | null;
            /** Load Before */
            load_before: number | null;
            /** Low */
            low: number | null;
            /** Name */
            name: string;
            /** Unit */
            unit: string;
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
         * @description A new credential for reading hosts of a group and of the groups below it, or for changing them: never the same for both.
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
            kind: "ssh_key" | "ssh_password" | "certificate" | "kerberos" | "ntlm" | "vcenter";
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
            /**
             * Purpose
             * @default collection
             * @enum {string}
             */
            purpose?: "collection" | "remediation";
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
            /** Purpose */
            purpose: string;
            /** Stopped At */
            stopped_at: string | null;
            /** Stopped Reason */
            stopped_reason: string;
            /** Version */
            version: number;
        };
        /**
         * CredentialStop
         * @description Why the credential may no longer be used.
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
         * DecisionAct
         * @description Approving, refusing or withdrawing; refusing and withdrawing need a reason.
         */
        DecisionAct: {
            /**
             * Reason
             * @default
             */
            reason?: string;
        };
        /**
         * DecisionOut
         * @description A decision, proposed or made. `holds` is the demand that counts; empty: neither does.
         */
        DecisionOut: {
            /** Decided At */
            decided_at: string | null;
            /** Decided By */
            decided_by: string;
            /** Decided Reason */
            decided_reason: string;
            /** End Reason */
            end_reason: string;
            /** Ended At */
            ended_at: string | null;
            /** Ended By */
            ended_by: string;
            group: components["schemas"]["GroupName"];
            /** Holds */
            holds: string;
            /** Id */
            id: number;
            /** Is To Review */
            is_to_review: boolean;
            /**
             * Proposed At
             * Format: date-time
             */
            proposed_at: string;
            /** Proposed By */
            proposed_by: string;
            /** Proposed By Id */
            proposed_by_id: number;
            /** Reason */
            reason: string;
            /**
             * State
             * @enum {string}
             */
            state: "proposed" | "active" | "refused" | "withdrawn" | "replaced";
        };
        /**
         * DecisionProposal
         * @description A proposal: which side holds for a group and all below it; `holds` empty: neither.
         */
        DecisionProposal: {
            /** Conflict */
            conflict: string;
            /** Group Id */
            group_id: number;
            /** Holds */
            holds: string | "";
            /** Reason */
            reason: string;
        };
        /**
         * DeliveryOut
         * @description The delivery of one notice to one channel.
         */
        DeliveryOut: {
            /** Channel Id */
            channel_id: number;
            /** Channel Name */
            channel_name: string;
            /**
             * Due At
             * Format: date-time
             */
            due_at: string;
            /** Ended At */
            ended_at: string | null;
            /** Id */
            id: string;
            /**
             * State
             * @enum {string}
             */
            state: "waiting" | "sent" | "given_up";
            /** Ticket Number */
            ticket_number: string;
            /** Ticket Url */
            ticket_url: string;
            /** Tries */
            tries: number;
            /** Words */
            words: string;
        };
        /**
         * DemoLogin
         * @description A demo person of the lab.
         */
        DemoLogin: {
            /** Login */
            login: string;
            /** Password */
            password: string;
            /** Role */
            role: string;
        };
        /**
         * DetectorFigure
         * @description How often the detector opened one symptom. `unexplained`: where no failing rule and no change is on record that could explain it.
         *
         *     `after_one_hour` and `after_three_hours`: how often it would have opened after so many hours in a row above the limit, instead of two.
         */
        DetectorFigure: {
            /** After One Hour */
            after_one_hour: number;
            /** After Three Hours */
            after_three_hours: number;
            /** Alarms */
            alarms: number;
            /** Label */
            label: string;
            /** Limit */
            limit: number;
            /** Name */
            name: string;
            /** Open Now */
            open_now: number;
            /** Unexplained */
            unexplained: number;
            /** Unexplained A Week */
            unexplained_a_week: number;
            /** Unit */
            unit: string;
        };
        /**
         * DetectorTest
         * @description The detector of symptoms run over the hours since `since` of `hosts` hosts that sent counters.
         *
         *     `most_hosts`: only so many of the hosts above a limit were looked at; None: all were. The newest unexplained alarms are listed.
         */
        DetectorTest: {
            /** Figures */
            figures: components["schemas"]["DetectorFigure"][];
            /** Hosts */
            hosts: number;
            /** Most Hosts */
            most_hosts: number | null;
            /**
             * Since
             * Format: date-time
             */
            since: string;
            /** Unexplained */
            unexplained: components["schemas"]["UnexplainedAlarm"][];
        };
        /**
         * DomainOut
         * @description One failure domain in use: its slots and the jobs that use them.
         */
        DomainOut: {
            /** Domain */
            domain: string;
            /** Held By */
            held_by: number[];
            /** Slots */
            slots: number;
            /** Words */
            words: string;
        };
        /**
         * Done
         * @description One sentence about what was done or requested.
         */
        Done: {
            /** Words */
            words: string;
        };
        /**
         * DraftOut
         * @description An uploaded pack without mistakes. `obstacle` is why it cannot be published; empty if it can.
         */
        DraftOut: {
            /** Cases */
            cases: number;
            /** Content Hash */
            content_hash: string;
            /** Id */
            id: number;
            /**
             * Made At
             * Format: date-time
             */
            made_at: string;
            /** Obstacle */
            obstacle: string;
            /** Pack */
            pack: string;
            /** Previous Version Id */
            previous_version_id: number | null;
            /** Published Version Id */
            published_version_id: number | null;
            /** Rules */
            rules: number;
            /** Source */
            source: string;
            /** Title */
            title: string;
            /** Version */
            version: string;
        };
        /**
         * DriftCause
         * @description One cause with the events that have it.
         */
        DriftCause: {
            /** Cause */
            cause: string;
            /** Count */
            count: number;
        };
        /**
         * DriftMarks
         * @description The four references: against the standard, the accepted baseline, the peers, and running against persisted.
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
         * DriftPage
         * @description Events, newest first; and the four references.
         *
         *     `only_hosts`: those that the request named and the person may see; the events are then those that changed something on one of them, each
         *     with all its hosts.
         */
        DriftPage: {
            /**
             * As Of
             * Format: date-time
             */
            as_of: string;
            /** Causes */
            causes: components["schemas"]["DriftCause"][];
            /**
             * Changes As Of
             * Format: date-time
             */
            changes_as_of: string;
            /** Clocks */
            clocks: components["schemas"]["ClockCount"][];
            /** Group Name */
            group_name: string;
            /** Groups */
            groups: components["schemas"]["ChangeGroup"][];
            /** Hosts */
            hosts: number;
            /** Is Cut */
            is_cut: boolean;
            /** More */
            more: number;
            /** Only Hosts */
            only_hosts: components["schemas"]["NamedHost"][];
        };
        /**
         * EffectWindow
         * @description Counters over a span of the same length before and after a job. `is_over` is false until the span after it has passed.
         */
        EffectWindow: {
            /** Counters */
            counters: components["schemas"]["CounterEffect"][];
            /** Hours */
            hours: number;
            /** Is Over */
            is_over: boolean;
        };
        /**
         * Element
         * @description One value of a step, as the runner compares and sets it.
         *
         *     `setting` is an address of `agents/schema/runner-settings.yaml`; `seen`, `target` and `inverse` are the host's own text, and `absent`
         *     stands for what does not exist. `catalogue` is the address of the setting that people know, `expects` the value that a check-in shows
         *     for it afterwards (`setting_text`; empty where it shows only with the next session or restart), `shown_seen` and `shown_target` the two
         *     values in words. `until_restart` says in words that the value lasts until the next restart of the host, and how to keep it; empty where
         *     it lasts.
         */
        Element: {
            /** Catalogue */
            catalogue: string;
            /** Expects */
            expects: string;
            /** Inverse */
            inverse: string;
            /** Label */
            label: string;
            /** Seen */
            seen: string;
            /** Setting */
            setting: string;
            /** Shown Seen */
            shown_seen: string;
            /** Shown Target */
            shown_target: string;
            /** Target */
            target: string;
            /**
             * Until Restart
             * @default
             */
            until_restart?: string;
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
         * EnteredChoice
         * @description One value that may be entered, and what it is called.
         */
        EnteredChoice: {
            /** Label */
            label: string;
            /** Value */
            value: string;
        };
        /**
         * EsxcliRead
         * @description A host's answer to one esxcli command through its vCenter.
         */
        EsxcliRead: {
            /** Command */
            command: string;
            /** Error */
            error: string;
            /** Rows */
            rows: {
                [key: string]: unknown;
            }[];
            /**
             * Status
             * @enum {string}
             */
            status: "ok" | "failed";
        };
        /**
         * EventChange
         * @description One change of an event, with what the host has now.
         *
         *     `restore_to` is the former value as a plan sets it; None where it cannot be restored, and `why_not_restore` says why.
         */
        EventChange: {
            /**
             * At
             * Format: date-time
             */
            at: string;
            /** Cause Detail */
            cause_detail: string;
            /** Change Id */
            change_id: number;
            host: components["schemas"]["NamedHost"];
            /** Job Id */
            job_id: number | null;
            /** Key */
            key: string;
            /** Label */
            label: string;
            /** New */
            new: string;
            /** Now */
            now: string;
            /** Old */
            old: string;
            /** Restore To */
            restore_to: unknown;
            subject: components["schemas"]["SubjectOut"];
            /** Why Not Restore */
            why_not_restore: string;
        };
        /**
         * EventDetail
         * @description One event with its changes, what fails on its hosts since, and what this person may do about it.
         *
         *     `changes_not_shown`: more changes belong to it than are listed.
         */
        EventDetail: {
            /** Changes */
            changes: components["schemas"]["EventChange"][];
            /** Changes Not Shown */
            changes_not_shown: number;
            event: components["schemas"]["ChangeGroup"];
            /** May Mark */
            may_mark: boolean;
            /** May Plan */
            may_plan: boolean;
            /** May Propose */
            may_propose: boolean;
            /** May Send Ticket */
            may_send_ticket: boolean;
            /** May Waive */
            may_waive: boolean;
            /** Rules */
            rules: components["schemas"]["FailingRuleOfEvent"][];
        };
        /**
         * EvidenceBundleCreate
         * @description Requests a bundle about a group and its subgroups, or about the hosts in them that match a saved view of the hosts page.
         *
         *     `as_of` left out means now; history goes back `period_days` from there.
         */
        EvidenceBundleCreate: {
            /** As Of */
            as_of?: string | null;
            /** Group Id */
            group_id: number;
            /**
             * Period Days
             * @default 90
             */
            period_days?: number;
            /** View Id */
            view_id?: number | null;
        };
        /**
         * EvidenceBundleOut
         * @description One evidence bundle and its state. `view_name` is empty where it is about a whole group.
         *
         *     `key_id` is the key that signed it: compare it with what the checking program prints.
         */
        EvidenceBundleOut: {
            /**
             * As Of
             * Format: date-time
             */
            as_of: string;
            /** Error */
            error: string;
            /** Findings */
            findings: number;
            /** Group Id */
            group_id: number;
            /** Group Name */
            group_name: string;
            /** Hosts */
            hosts: number;
            /** Id */
            id: number;
            /** Key Id */
            key_id: string;
            /**
             * Requested At
             * Format: date-time
             */
            requested_at: string;
            /** Requested By */
            requested_by: string;
            /** Sha256 */
            sha256: string;
            /**
             * Since
             * Format: date-time
             */
            since: string;
            /** Size Bytes */
            size_bytes: number;
            /**
             * State
             * @enum {string}
             */
            state: "queued" | "ready" | "failed";
            /** View Name */
            view_name: string;
        };
        /**
         * EvidenceFileOut
         * @description A file attached as evidence.
         */
        EvidenceFileOut: {
            /** Id */
            id: number;
            /** Media Type */
            media_type: string;
            /** Name */
            name: string;
            /** Sha256 */
            sha256: string;
            /** Size Bytes */
            size_bytes: number;
            /**
             * Uploaded At
             * Format: date-time
             */
            uploaded_at: string;
        };
        /**
         * EvidenceLine
         * @description Where a value stands: the member of the bundle, the command it answers, the field, and the text.
         */
        EvidenceLine: {
            /** Command */
            command: string;
            /** Field */
            field: string;
            /** Member */
            member: string;
            /** Raw */
            raw: string;
        };
        /**
         * EvidenceOut
         * @description One place in one paper and what was seen there. `percent` or `from`/`to` only where the paper's text prints the figure.
         */
        EvidenceOut: {
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
         * FabricChange
         * @description A label that changes; empty: none.
         */
        FabricChange: {
            /** Adapter */
            adapter: string;
            /** Adapter Id */
            adapter_id: string;
            /** After */
            after: string;
            /** Before */
            before: string;
            /** Host */
            host: string;
            /** Host Id */
            host_id: string;
        };
        /**
         * FabricImport
         * @description What an import did, or would do. With any mistake it does nothing.
         */
        FabricImport: {
            /** Changes */
            changes: components["schemas"]["FabricChange"][];
            /** Hosts */
            hosts: number;
            /** Is Done */
            is_done: boolean;
            /** Lines */
            lines: number;
            /** Mistakes */
            mistakes: components["schemas"]["FabricMistake"][];
            /** Mistakes Total */
            mistakes_total: number;
        };
        /**
         * FabricImportRequest
         * @description A CSV with the columns host, adapter and fabric; with `is_trial` the import only reports what would change.
         */
        FabricImportRequest: {
            /** Content */
            content: string;
            /**
             * Is Trial
             * @default true
             */
            is_trial?: boolean;
        };
        /**
         * FabricMistake
         * @description What is wrong in a line of the file.
         */
        FabricMistake: {
            /** Line */
            line: number;
            /** Message */
            message: string;
        };
        /**
         * Facet
         * @description One facet; its own filter does not narrow its values. `more` values with hosts are not listed.
         */
        Facet: {
            /** Label */
            label: string;
            /** More */
            more: number;
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
         * FactorBegin
         * @description Begins to add a second factor. The password is asked for, so that an open browser is not enough.
         */
        FactorBegin: {
            /**
             * Kind
             * @enum {string}
             */
            kind: "authenticator" | "passkey";
            /** Password */
            password: string;
        };
        /**
         * FactorBegun
         * @description What is needed to complete the new factor: the secret for an app, or options for `navigator.credentials.create` as JSON.
         */
        FactorBegun: {
            authenticator: components["schemas"]["AuthenticatorSetup"] | null;
            /**
             * Expires At
             * Format: date-time
             */
            expires_at: string;
            /** Passkey */
            passkey: {
                [key: string]: unknown;
            } | null;
            /** Step */
            step: string;
        };
        /**
         * FactorCreate
         * @description Completes a new factor by its first code, or by the browser's answer.
         */
        FactorCreate: {
            /** Code */
            code?: string | null;
            /** Name */
            name: string;
            passkey?: components["schemas"]["PasskeyAnswer"] | null;
            /** Step */
            step: string;
        };
        /**
         * FactorCreated
         * @description The new factor. With the first one there are recovery codes.
         */
        FactorCreated: {
            factor: components["schemas"]["FactorRow"];
            /** Recovery Codes */
            recovery_codes: string[];
        };
        /**
         * FactorRow
         * @description One second factor of the person.
         */
        FactorRow: {
            /**
             * Created At
             * Format: date-time
             */
            created_at: string;
            /** Id */
            id: number;
            /**
             * Kind
             * @enum {string}
             */
            kind: "authenticator" | "passkey";
            /** Last Used At */
            last_used_at: string | null;
            /** Name */
            name: string;
        };
        /**
         * FailingRule
         * @description A rule, with the rules linked to it (`also`), and on how many hosts it fails; each host counts once.
         */
        FailingRule: {
            /** Also */
            also: components["schemas"]["LinkedRule"][];
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
         * FailingRuleOfEvent
         * @description A rule that reads what changed and fails now on hosts of the event; linked rules are named once.
         *
         *     `fix_rules` are those of the linked ones that a plan can fix; none: it is fixed manually.
         */
        FailingRuleOfEvent: {
            /** Fix Rules */
            fix_rules: components["schemas"]["RuleOfEvent"][];
            /** Host Ids */
            host_ids: string[];
            /** Pack */
            pack: string;
            /** Rule */
            rule: string;
            /** Title */
            title: string;
        };
        /**
         * FieldChange
         * @description One field of a rule before and after, as its author wrote it.
         */
        FieldChange: {
            /** Field */
            field: string;
            /** New */
            new: string;
            /** Old */
            old: string;
        };
        /**
         * Finding
         * @description A finding. `outcome` is the result of the rule; `standing` is the status to show.
         *
         *     `headline` says what is wrong and where, what could not be checked, or is the title if there is no problem. `headline_template` is
         *     the same with `{items}` for the item, so that findings that say the same of several items can be shown as one. `reason_repeats`: the
         *     reason says nothing that `observed` and `expected` do not say.
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
            evidence: components["schemas"]["EvidenceOut"][];
            /** Excluded By */
            excluded_by: string;
            /** Expected */
            expected: string;
            /** Failing Since */
            failing_since: string | null;
            /** Fix */
            fix: components["schemas"]["FixLine"][];
            /** Grace Until */
            grace_until: string | null;
            /** Headline */
            headline: string;
            /** Headline Template */
            headline_template: string;
            /** Impact */
            impact: string;
            /** Kind */
            kind: string;
            /** Manual */
            manual: string[];
            /** Manual Because */
            manual_because: string;
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
            /** Reason Repeats */
            reason_repeats: boolean;
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
            standing: "fail" | "unknown" | "excluded" | "waived" | "advice" | "pass" | "not_applicable";
            subject: components["schemas"]["SubjectOut"];
            /** Tested Value */
            tested_value: string;
            /** Title */
            title: string;
            waiver: components["schemas"]["WaiverOut"] | null;
            was: components["schemas"]["Was"] | null;
            /** Why */
            why: string;
        };
        /**
         * FindingChoice
         * @description One failing finding that is to be put right.
         */
        FindingChoice: {
            /** Host Id */
            host_id: string;
            /** Pack */
            pack: string;
            /** Rule */
            rule: string;
            /**
             * Subject Id
             * @default
             */
            subject_id?: string;
            /** Subject Kind */
            subject_kind: string;
        };
        /**
         * FindingRef
         * @description The identity of a finding, whatever its pack's version. Without a pack it is a setting that is to be set: `rule` is then its key.
         */
        FindingRef: {
            /** Host */
            host: string;
            /** Pack */
            pack: string;
            /** Rule */
            rule: string;
            /** Subject Id */
            subject_id: string;
            /** Subject Kind */
            subject_kind: string;
        };
        /**
         * FindingSide
         * @description A finding on one side: its status, its outcome without waivers and conflicts, and what was observed. `member` as above.
         */
        FindingSide: {
            /** Member */
            member: string;
            /** Observed */
            observed: string;
            /** Outcome */
            outcome: string;
            /**
             * Status
             * @enum {string}
             */
            status: "fail" | "unknown" | "excluded" | "waived" | "advice" | "pass" | "not_applicable";
        };
        /**
         * FindingSource
         * @description How the decisive value was read.
         *
         *     `member`: the file of the support bundle, for a host that is known from one; else empty.
         *
         *     `is_proven`: false if this setting was never read from a real host's output of the command, only from what documentation says.
         */
        FindingSource: {
            /** Command */
            command: string;
            /** Field */
            field: string;
            /** Is Proven */
            is_proven: boolean;
            /** Member */
            member: string;
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
         * FindingToRevert
         * @description A finding that began to fail between the runs and fails still: a plan that fixes it takes the change back.
         */
        FindingToRevert: {
            /** Pack */
            pack: string;
            /** Rule */
            rule: string;
            /** Subject Id */
            subject_id: string;
            /** Subject Kind */
            subject_kind: string;
            /** Title */
            title: string;
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
         * FirstStep
         * @description One thing to set up in a new installation: whether it is done, and how much of it there is ("2 groups").
         */
        FirstStep: {
            /** At */
            at?: string | null;
            /** Is Done */
            is_done: boolean;
            /**
             * Step
             * @enum {string}
             */
            step: "group" | "token" | "host" | "credential" | "notifications" | "heartbeat" | "backup";
            /** Words */
            words: string;
        };
        /**
         * FirstSteps
         * @description All steps, in the order in which an admin takes them.
         */
        FirstSteps: {
            /** Items */
            items: components["schemas"]["FirstStep"][];
        };
        /**
         * FixLine
         * @description One setting that a step would write; `to` in words.
         *
         *     `until_restart`: the value lasts until the next restart of the host, and how to keep it, in words; empty where it lasts.
         */
        FixLine: {
            /** Label */
            label: string;
            /** Setting */
            setting: string;
            /** To */
            to: string;
            /** Until Restart */
            until_restart: string;
        };
        /**
         * FleetCell
         * @description A cluster, a group or a host with its symptoms.
         */
        FleetCell: {
            /** Figures */
            figures: components["schemas"]["FleetFigure"][];
            /** Hosts */
            hosts: number;
            /** Hosts Reporting */
            hosts_reporting: number;
            /** Key */
            key: string;
            /**
             * Kind
             * @enum {string}
             */
            kind: "cluster" | "group" | "host";
            /** Label */
            label: string;
            /** Symptoms */
            symptoms: string[];
            /** Where */
            where: string;
        };
        /**
         * FleetCharts
         * @description Small charts of the fleet, worst first.
         */
        FleetCharts: {
            /**
             * By
             * @enum {string}
             */
            by: "cluster" | "group" | "host";
            /** Cells */
            cells: components["schemas"]["FleetCell"][];
            /**
             * From
             * Format: date-time
             */
            from: string;
            /** Limits */
            limits: components["schemas"]["ChartReference"][];
            /** Sort */
            sort: string;
            /**
             * To
             * Format: date-time
             */
            to: string;
            /** Total */
            total: number;
        };
        /**
         * FleetEventOut
         * @description A mark on the trend.
         */
        FleetEventOut: {
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
         * FleetFigure
         * @description One symptom of a cluster, group or host over the range. `values` has one figure an hour, null where nothing came.
         */
        FleetFigure: {
            /** Highest */
            highest: number | null;
            /** Is Over */
            is_over: boolean;
            /** Label */
            label: string;
            /** Limit */
            limit: number | null;
            /** Mean */
            mean: number | null;
            /**
             * Name
             * @enum {string}
             */
            name: "retransmits" | "drops" | "errors" | "pauses" | "latency" | "throughput" | "operations" | "cpu";
            /** Unit */
            unit: string;
            /** Values */
            values: (number | null)[];
        };
        /**
         * FleetFigures
         * @description The average and the spread of one way of scoring.
         */
        FleetFigures: {
            /** Distribution */
            distribution: components["schemas"]["ScoreBand"][];
            /** Mean */
            mean: number | null;
            /** Median */
            median: number | null;
            /** Worst */
            worst: components["schemas"]["ScoredHost"][];
        };
        /**
         * FleetHost
         * @description A host of the fleet that a bundle may be of. `likeness` says how sure that is, `identity` by which marks. `source`: what feeds it.
         */
        FleetHost: {
            /** Id */
            id: string;
            /** Identity */
            identity: string;
            /** Last Seen At */
            last_seen_at: string | null;
            /**
             * Likeness
             * @enum {string}
             */
            likeness: "same" | "unsure" | "other";
            /** Name */
            name: string;
            /**
             * Source
             * @enum {string}
             */
            source: "agent" | "collector" | "bundle";
        };
        /**
         * FleetRule
         * @description The cost of one rule: `points_lost` of the average score, weighted by evidence; `counted_lost` if all rules had equal weight.
         *
         *     `also` are the linked rules: they count once on each host, under the one that applies there, and once here.
         */
        FleetRule: {
            /** Also */
            also: components["schemas"]["LinkedRule"][];
            /** Counted Lost */
            counted_lost: number;
            /** Counted Possible */
            counted_possible: number;
            /** Hosts Capped */
            hosts_capped: number;
            /** Hosts Failing */
            hosts_failing: number;
            /** Hosts Judged */
            hosts_judged: number;
            /** Kind */
            kind: string;
            /** Pack */
            pack: string;
            /** Points Lost */
            points_lost: number;
            /** Points Possible */
            points_possible: number;
            /** Rule */
            rule: string;
            /** Title */
            title: string;
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
         * FleetScoreApart
         * @description How the fleet's score is made up: average = 100 - lost to rules - lost to rounding - lost to caps.
         *
         *     `rules` is empty if the group has more hosts than `looked_at`; choose a smaller group then.
         */
        FleetScoreApart: {
            /**
             * As Of
             * Format: date-time
             */
            as_of: string;
            counted: components["schemas"]["FleetFigures"];
            /** Group Id */
            group_id: number;
            /** Group Name */
            group_name: string;
            /** Hosts Capped */
            hosts_capped: number;
            /** Hosts Fresh */
            hosts_fresh: number;
            /** Hosts Known */
            hosts_known: number;
            /** Hosts Scored */
            hosts_scored: number;
            /** Hosts Waived */
            hosts_waived: number;
            /** Looked At */
            looked_at: number;
            /** Lost To Caps */
            lost_to_caps: number;
            /** Lost To Rounding */
            lost_to_rounding: number;
            /** Lost To Rules */
            lost_to_rules: number;
            /** Rule Coverage */
            rule_coverage: number | null;
            /** Rules */
            rules: components["schemas"]["FleetRule"][];
            weighed: components["schemas"]["FleetFigures"];
            /** Without Waivers */
            without_waivers: number | null;
        };
        /**
         * Forecast
         * @description What a step, or a host's whole part, does to this host as it is now.
         *
         *     `seconds` is the estimated interruption of the paths it takes (0: none); `duration_s` the estimated time it runs, waiting for sessions
         *     to come back included. `volumes` holds those that lose a path, the worst first.
         */
        Forecast: {
            /** Duration S */
            duration_s: number;
            /**
             * Impact
             * @enum {string}
             */
            impact: "none" | "new_sessions" | "adapter_restart" | "path_loss" | "maintenance" | "reboot" | "unknown";
            /** Seconds */
            seconds: number;
            /**
             * Volumes
             * @default []
             */
            volumes?: components["schemas"]["VolumeForecast"][];
            /** Words */
            words: string;
        };
        /**
         * FreezeCreate
         * @description A span in which nothing of a group is changed.
         */
        FreezeCreate: {
            /**
             * Ends At
             * Format: date-time
             */
            ends_at: string;
            /** Group Id */
            group_id: number;
            /** Reason */
            reason: string;
            /** Starts At */
            starts_at?: string | null;
        };
        /**
         * FreezeOut
         * @description One freeze.
         */
        FreezeOut: {
            /** Created By */
            created_by: string;
            /** Ended At */
            ended_at: string | null;
            /**
             * Ends At
             * Format: date-time
             */
            ends_at: string;
            /** Group Id */
            group_id: number;
            /** Group Name */
            group_name: string;
            /** Id */
            id: number;
            /** Is On */
            is_on: boolean;
            /** Reason */
            reason: string;
            /**
             * Starts At
             * Format: date-time
             */
            starts_at: string;
        };
        /**
         * Gate
         * @description A condition that held when the plan was made and is read again before the first step: what it relies on, and the value then.
         *
         *     `fact` is the address of a setting, `paths/<volume>` for a count of healthy paths, `path_map//problem` for the path map as a whole,
         *     `load//percent` for the load of the busiest SAN adapter (`value` is then the limit that it stays under), or empty where this host cannot
         *     tell it (a ping of another host); `value` is then as it was told. `command` is what a person runs to look at it.
         *     `opened_by` is `person` where only a person can make it true; `command` then says how.
         */
        Gate: {
            /**
             * Command
             * @default
             */
            command?: string;
            /** Fact */
            fact: string;
            /**
             * Name
             * @enum {string}
             */
            name: "path_map" | "path_floor" | "path_dead" | "boot_from_san" | "management_path" | "cluster_health" | "node_paused" | "storage_jobs" | "maintenance_mode" | "heavy_load" | "frame_size" | "facts_known" | "facts_fresh" | "release" | "manual_only" | "group_policy" | "driver_limit" | "failure_domain" | "reachable" | "remediation_on";
            /**
             * Opened By
             * @default host
             * @enum {string}
             */
            opened_by?: "host" | "person";
            /** Value */
            value: string;
            /** Words */
            words: string;
        };
        /**
         * GoneSubject
         * @description A subject that the host no longer has, and what it has of the same kind.
         */
        GoneSubject: {
            /**
             * Gone At
             * Format: date-time
             */
            gone_at: string;
            /** Id */
            id: string;
            /** Instead */
            instead: components["schemas"]["NamedSubject"][];
            /**
             * Kind
             * @enum {string}
             */
            kind: "adapter" | "vnic" | "initiator" | "volume";
            /** Name */
            name: string;
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
         *
         *     `is_ticket_required`: plans and waivers here and below need a ticket; `is_ticket_required_effective` counts the groups above too.
         */
        Group: {
            /** Hosts */
            hosts: number;
            /** Id */
            id: number;
            /** Is Ticket Required */
            is_ticket_required: boolean;
            /** Is Ticket Required Effective */
            is_ticket_required_effective: boolean;
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
         * GroupGrant
         * @description A role that everybody in a group of the provider has, on a group of hosts and its subgroups.
         */
        GroupGrant: {
            /** Group Id */
            group_id: number;
            /** Group Name */
            group_name: string;
            /** Id */
            id: number;
            /** Oidc Group */
            oidc_group: string;
            /** People */
            people: number;
            /**
             * Role
             * @enum {string}
             */
            role: "viewer" | "operator" | "approver" | "admin";
        };
        /**
         * GroupGrantCreate
         * @description Gives a role to a group of the provider, by the name that it sends.
         */
        GroupGrantCreate: {
            /** Group Id */
            group_id: number;
            /** Oidc Group */
            oidc_group: string;
            /**
             * Role
             * @enum {string}
             */
            role: "viewer" | "operator" | "approver" | "admin";
        };
        /**
         * GroupName
         * @description A group as a link.
         */
        GroupName: {
            /** Id */
            id: number;
            /** Name */
            name: string;
            /** Path */
            path: string;
        };
        /**
         * GroupUpdate
         * @description Only the fields that are sent are changed; `mode` null makes the group inherit.
         */
        GroupUpdate: {
            /** Is Ticket Required */
            is_ticket_required?: boolean | null;
            /** Mode */
            mode?: ("observe" | "remediate") | null;
            /** Name */
            name?: string | null;
            /** Parent Id */
            parent_id?: number | null;
        };
        /**
         * Headline
         * @description The figures of the one sentence. `conflicts` are contradictions between packs that wait for a decision.
         */
        Headline: {
            /** Conflicts */
            conflicts: number;
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
         * @description `status`: `away` where the database does not answer or takes no writes, `degraded` where Redis, a worker or another part is down,
         *     else `ok`. Without Redis, work waits but is not lost. `workers` is `away` where work waits that no worker takes, or a part of
         *     `plumbline up` is down; `down` names such parts.
         */
        Health: {
            /**
             * Database
             * @enum {string}
             */
            database: "ok" | "away";
            /** Down */
            down: string[];
            /**
             * Redis
             * @enum {string}
             */
            redis: "ok" | "away";
            /**
             * Status
             * @enum {string}
             */
            status: "ok" | "degraded" | "away";
            /** Version */
            version: string;
            /**
             * Workers
             * @enum {string}
             */
            workers: "ok" | "away";
        };
        /**
         * HealthFact
         * @description A figure with its name.
         */
        HealthFact: {
            /** Label */
            label: string;
            /** Value */
            value: string;
        };
        /**
         * HealthPart
         * @description One part of the installation, in one sentence and figures.
         */
        HealthPart: {
            /** Facts */
            facts: components["schemas"]["HealthFact"][];
            /**
             * Level
             * @enum {string}
             */
            level: "ok" | "warning" | "failed" | "unknown";
            /** Name */
            name: string;
            /** Words */
            words: string;
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
         * HoldCreate
         * @description Blocks jobs on a host and suppresses notices about it; the host is still evaluated.
         */
        HoldCreate: {
            /** Reason */
            reason: string;
            /** Until */
            until?: string | null;
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
         * HostBaselineOut
         * @description One host compared with its baseline, now.
         *
         *     `state` is unknown if nothing was accepted (`accepted_at` None), if one of both cannot be read, or if only settings that cannot be read
         *     now may differ.
         */
        HostBaselineOut: {
            /** Accepted At */
            accepted_at: string | null;
            /** Accepted By */
            accepted_by: string;
            /** As Of */
            as_of: string | null;
            /** Baseline Id */
            baseline_id: number | null;
            /** Configuration Read At */
            configuration_read_at: string | null;
            /** Differences */
            differences: components["schemas"]["SettingDifference"][];
            /** Differs Since */
            differs_since: string | null;
            /** May Propose */
            may_propose: boolean;
            /** Proposed By */
            proposed_by: string;
            /** Reason */
            reason: string;
            /**
             * State
             * @enum {string}
             */
            state: "none" | "drift" | "unknown";
            /** Unread */
            unread: components["schemas"]["UnreadSetting"][];
            /** Waiting */
            waiting: components["schemas"]["BaselineRow"][];
        };
        /**
         * HostCollection
         * @description How the data of a host gets here, for the host's page.
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
            source: "agent" | "collector" | "bundle";
            /** Words */
            words: string;
        };
        /**
         * HostComparison
         * @description One host beside another host, its baseline, the majority of its peers, its best peer, itself on another date, its own running
         *     values beside the stored ones, or what a support bundle shows of it.
         *
         *     `right_label` says what stands on the right; `problem` why there is nothing to compare with (then `items` is empty). `peers_are` says
         *     whom the peers are: its cluster, or hosts alike in its group. `same` settings are equal and `not_known` are not known on one side; they
         *     are among the items only where all were requested. `findings` are compared with a bundle alone; `findings_not_known` more are unknown on
         *     one side.
         */
        HostComparison: {
            bundle: components["schemas"]["ComparedBundle"] | null;
            /** Differs */
            differs: number;
            /** Findings */
            findings: components["schemas"]["ComparedFinding"][];
            /** Findings Not Known */
            findings_not_known: number;
            host: components["schemas"]["NamedHost"];
            /** Items */
            items: components["schemas"]["ComparedSetting"][];
            /** Left At */
            left_at: string | null;
            /** May Plan */
            may_plan: boolean;
            /** Not Known */
            not_known: number;
            other: components["schemas"]["NamedHost"] | null;
            /** Peers */
            peers: components["schemas"]["ComparedPeer"][];
            /**
             * Peers Are
             * @enum {string}
             */
            peers_are: "cluster" | "alike" | "";
            /** Problem */
            problem: string;
            /**
             * Reference
             * @enum {string}
             */
            reference: "host" | "baseline" | "peers" | "best" | "date" | "running" | "bundle";
            /** Right At */
            right_at: string | null;
            /** Right Label */
            right_label: string;
            /** Same */
            same: number;
        };
        /**
         * HostCounters
         * @description Counters of one host; at most 1,000 points for each series, `is_downsampled` if there were more.
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
         * @description One host, whole. `mode` is the host's own where it is stricter than its group, None where it follows it.
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
            freshness: "fresh" | "late" | "silent" | "never" | "bundle";
            from_bundle: components["schemas"]["KnownFromBundle"] | null;
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
            /** Mode */
            mode: ("observe" | "remediate") | null;
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
            /** Tickets */
            tickets: components["schemas"]["TicketOut"][];
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
         * HostLink
         * @description The host in Plumbline that it is; null: none of them.
         */
        HostLink: {
            /** Host Id */
            host_id: string | null;
        };
        /**
         * HostMerge
         * @description The host that this one goes on as; the reason is kept in the audit log.
         */
        HostMerge: {
            /** Old Id */
            old_id: string;
            /** Reason */
            reason: string;
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
         * HostPast
         * @description A host as of an instant. `absent` is why there is nothing to show. `from_bundle`: of a host that was known from a bundle then.
         */
        HostPast: {
            /** Absent */
            absent: string;
            /**
             * As Of
             * Format: date-time
             */
            as_of: string;
            /** Capped By */
            capped_by: string;
            /** Configuration At */
            configuration_at: string | null;
            /** Counts */
            counts: {
                [key: string]: number;
            };
            from_bundle: components["schemas"]["PastBundle"] | null;
            /** Group */
            group: string;
            host: components["schemas"]["NamedHost"];
            /** Items */
            items: components["schemas"]["PastFinding"][];
            /** Moved Groups */
            moved_groups: components["schemas"]["MovedGroup"][];
            /** Rule Coverage */
            rule_coverage: number | null;
            /** Score */
            score: number | null;
            /** Score Now */
            score_now: number | null;
            /** Versions */
            versions: components["schemas"]["PastVersion"][];
            /** Waivers */
            waivers: number;
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
         * HostPlan
         * @description The part of a plan that one job carries out on one host.
         *
         *     `domains` are the names of its failure domains (`cluster:<name>`, `group:<id>`, `fabric:<group>/<label>`), `facts_at` the time of the
         *     check-in (RFC 3339, UTC) and `configuration` the hash of the configuration that it was made from.
         */
        HostPlan: {
            /** Configuration */
            configuration: string;
            /** Domains */
            domains: string[];
            /** Facts At */
            facts_at: string;
            forecast: components["schemas"]["Forecast"];
            /** Gates */
            gates: components["schemas"]["Gate"][];
            /** Host */
            host: string;
            /** Name */
            name: string;
            /**
             * Platform
             * @enum {string}
             */
            platform: "windows" | "esxi";
            /** Release */
            release: string;
            /** Steps */
            steps: components["schemas"]["Step"][];
        };
        /**
         * HostReach
         * @description Whether a host can be reached for changes, and why; with the facts of its vCenter, where it has one.
         */
        HostReach: {
            /**
             * Answer
             * @enum {string}
             */
            answer: "yes" | "no" | "unknown";
            /** Reasons */
            reasons: components["schemas"]["ReachReason"][];
            vcenter: components["schemas"]["VCenterFacts"] | null;
        };
        /**
         * HostReason
         * @description Why a host is quarantined or released, or its alarm cleared; saved in the audit log.
         */
        HostReason: {
            /** Reason */
            reason: string;
        };
        /**
         * HostRetire
         * @description Takes a host out of the fleet; the reason is kept in the audit log.
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
            freshness: "fresh" | "late" | "silent" | "never" | "bundle";
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
         * @description The score taken apart. `uncapped` is what the parts make, rounded down, before caps; `count_based` what it would be if every rule
         *     counted the same (rounded down, not capped).
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
            /** Uncapped */
            uncapped: number | null;
            /** Without Waivers */
            without_waivers: number | null;
        };
        /**
         * HostSetting
         * @description One setting of a host. `text` is the value as text with its unit; `state` says whether there is a value.
         *
         *     `choices` is set if the host can't report the value and a person may enter it: the values to choose from; empty for a number.
         */
        HostSetting: {
            /** Address */
            address: string;
            /** Choices */
            choices: components["schemas"]["EnteredChoice"][] | null;
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
            source: components["schemas"]["SettingSourceOut"] | null;
            /**
             * State
             * @enum {string}
             */
            state: "value" | "unknown" | "not_offered";
            subject: components["schemas"]["SubjectOut"];
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
         * HostTimeline
         * @description What happened on one host from `from` to `to`, the newest first, and its alarms by kind and rule, the oldest first.
         *
         *     `is_cut`: there are more changes or findings than are listed.
         */
        HostTimeline: {
            /** Alarms */
            alarms: components["schemas"]["TimelineAlarm"][];
            /** Changes */
            changes: components["schemas"]["Change"][];
            /** Findings */
            findings: components["schemas"]["TimelineFinding"][];
            /**
             * From
             * Format: date-time
             */
            from: string;
            /** Is Cut */
            is_cut: boolean;
            /**
             * To
             * Format: date-time
             */
            to: string;
        };
        /**
         * HostUpdate
         * @description Only the fields that are sent are changed. `roles` sets adapter roles by adapter id; null gives the derived role back.
         *
         *     `entered` sets, by address, settings that hosts can't report (those of an offload engine); null removes them. `fabrics` labels adapters
         *     by id with the fabric that they are cabled to; null takes the label off.
         */
        HostUpdate: {
            /** Entered */
            entered?: {
                [key: string]: string | null;
            } | null;
            /** Fabrics */
            fabrics?: {
                [key: string]: string | null;
            } | null;
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
         * HostWatches
         * @description The newest watches of a host, and whether this person may start one; `why_not` says what is missing on the host's side.
         */
        HostWatches: {
            /** May Watch */
            may_watch: boolean;
            /** Watches */
            watches: components["schemas"]["WatchOut"][];
            /** Why Not */
            why_not: string;
        };
        /**
         * ImportedFile
         * @description What an import brought.
         */
        ImportedFile: {
            /** File Id */
            file_id: number;
            /** Runs */
            runs: components["schemas"]["RunRow"][];
            /** Tool */
            tool: string;
        };
        /**
         * ImportedKeys
         * @description What a file of keys means, line by line; `pinned` counts the hosts whose key was set, or would be.
         */
        ImportedKeys: {
            /** Faults */
            faults: number;
            /** Is Applied */
            is_applied: boolean;
            /** Lines */
            lines: components["schemas"]["ImportedLine"][];
            /** Pinned */
            pinned: number;
        };
        /**
         * ImportedLine
         * @description What one line means for one host.
         */
        ImportedLine: {
            host?: components["schemas"]["NamedHost"] | null;
            /** Line */
            line: number;
            /** Names */
            names: string;
            /** Pin */
            pin: string;
            /**
             * State
             * @enum {string}
             */
            state: "set" | "replaced" | "same" | "differs" | "no_host" | "passed_over" | "fault";
            /** Words */
            words: string;
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
         * JobDetail
         * @description One job, whole. `floor` is the number of healthy paths that every SAN volume keeps while a step takes others.
         */
        JobDetail: {
            /** Cancel By */
            cancel_by: string;
            /** Cancel Reason */
            cancel_reason: string;
            /**
             * Created At
             * Format: date-time
             */
            created_at: string;
            /** Domains */
            domains: string[];
            /** Effect */
            effect: string;
            /** Finished At */
            finished_at: string | null;
            /** Floor */
            floor: number;
            /** Gen */
            gen: number;
            /** Health Before */
            health_before: {
                [key: string]: unknown;
            };
            host: components["schemas"]["NamedHost"];
            /** Id */
            id: number;
            /** Is Cancelling */
            is_cancelling: boolean;
            /**
             * Kind
             * @enum {string}
             */
            kind: "change" | "undo";
            /** Last Event */
            last_event: number;
            /** Lease Until */
            lease_until: string | null;
            /** May */
            may: string[];
            /** Next Try At */
            next_try_at: string | null;
            /**
             * Not After
             * Format: date-time
             */
            not_after: string;
            /** Plan Id */
            plan_id: number;
            /** Plan Title */
            plan_title: string;
            /** Queue */
            queue: string;
            /** Queued At */
            queued_at: string | null;
            /** Requested By */
            requested_by: string;
            /** Resolution */
            resolution: string;
            /** Resolved By */
            resolved_by: string;
            /** Started At */
            started_at: string | null;
            /** State */
            state: string;
            /**
             * State At
             * Format: date-time
             */
            state_at: string;
            /** State Label */
            state_label: string;
            /** State Words */
            state_words: string;
            /** Steps */
            steps: components["schemas"]["JobStepOut"][];
            /** Steps Done */
            steps_done: number;
            /** Steps Total */
            steps_total: number;
            /** Undo Until */
            undo_until: string | null;
            /** Undoes Id */
            undoes_id: number | null;
            verified_by: components["schemas"]["VerifyingCheckIn"] | null;
            /** Verify Until */
            verify_until: string | null;
            /** Wave */
            wave: number;
            /** Worker */
            worker: string;
        };
        /**
         * JobEffect
         * @description What counters say of a job, an hour and a day before and after. It never says proven: that takes benchmark runs.
         *
         *     `controls` are the untreated hosts beside it, `controls_from` where they come from.
         */
        JobEffect: {
            /** Controls */
            controls: components["schemas"]["NamedHost"][];
            /**
             * Controls From
             * @enum {string}
             */
            controls_from: "cluster" | "model" | "";
            /** Finished At */
            finished_at: string | null;
            host: components["schemas"]["NamedHost"];
            /** Job Id */
            job_id: number;
            /** Proof Ids */
            proof_ids: number[];
            /** Started At */
            started_at: string | null;
            /** Windows */
            windows: components["schemas"]["EffectWindow"][];
        };
        /**
         * JobEventOut
         * @description One thing that happened in a job. `number` is gapless within the job.
         */
        JobEventOut: {
            /**
             * At
             * Format: date-time
             */
            at: string;
            /** Data */
            data: {
                [key: string]: unknown;
            };
            /** Kind */
            kind: string;
            /** Number */
            number: number;
            /** State */
            state: string;
            /** Step No */
            step_no: number | null;
            /** Words */
            words: string;
        };
        /**
         * JobEvents
         * @description Events of a job after a number, and the job's state now: what a client polls where it cannot follow the stream.
         */
        JobEvents: {
            /** Is Over */
            is_over: boolean;
            /** Items */
            items: components["schemas"]["JobEventOut"][];
            /** State */
            state: string;
        };
        /**
         * JobOfChange
         * @description A job of ours that made the change, and whether it can be undone now.
         */
        JobOfChange: {
            host: components["schemas"]["NamedHost"];
            /** Job Id */
            job_id: number;
            /** Plan Id */
            plan_id: number;
            /** Requested By */
            requested_by: string;
            /** Undo Until */
            undo_until: string | null;
        };
        /**
         * JobPage
         * @description One page of jobs, newest first.
         */
        JobPage: {
            /** Items */
            items: components["schemas"]["JobRow"][];
            /** Next */
            next: string | null;
        };
        /**
         * JobRow
         * @description One job in a list.
         */
        JobRow: {
            /**
             * Created At
             * Format: date-time
             */
            created_at: string;
            /** Effect */
            effect: string;
            /** Finished At */
            finished_at: string | null;
            host: components["schemas"]["NamedHost"];
            /** Id */
            id: number;
            /** Is Cancelling */
            is_cancelling: boolean;
            /**
             * Kind
             * @enum {string}
             */
            kind: "change" | "undo";
            /** Last Event */
            last_event: number;
            /**
             * Not After
             * Format: date-time
             */
            not_after: string;
            /** Plan Id */
            plan_id: number;
            /** Plan Title */
            plan_title: string;
            /** Requested By */
            requested_by: string;
            /** Started At */
            started_at: string | null;
            /** State */
            state: string;
            /**
             * State At
             * Format: date-time
             */
            state_at: string;
            /** State Label */
            state_label: string;
            /** State Words */
            state_words: string;
            /** Steps Done */
            steps_done: number;
            /** Steps Total */
            steps_total: number;
            /** Undo Until */
            undo_until: string | null;
            /** Undoes Id */
            undoes_id: number | null;
            /** Wave */
            wave: number;
        };
        /**
         * JobStepOut
         * @description One step: what was signed, and what became of it.
         */
        JobStepOut: {
            /** After */
            after: {
                [key: string]: unknown;
            };
            /** Applied By */
            applied_by: string;
            /** Attempt */
            attempt: number;
            /** Before */
            before: {
                [key: string]: unknown;
            };
            /** Finished At */
            finished_at: string | null;
            /** Health After */
            health_after: {
                [key: string]: unknown;
            };
            /** Health Before */
            health_before: {
                [key: string]: unknown;
            };
            /** Intent At */
            intent_at: string | null;
            /** Number */
            number: number;
            /** Sent At */
            sent_at: string | null;
            /** State */
            state: string;
            /** Step */
            step: {
                [key: string]: unknown;
            };
            /** Title */
            title: string;
            /** Words */
            words: string;
        };
        /**
         * JoinFleet
         * @description Hosts of an assessment that a person adds to a group of the fleet, at most 50 at a time.
         *
         *     `with_unsure`: also those that may be a host of the fleet already, where name and adapters do not say it for sure.
         */
        JoinFleet: {
            /** Assessed Ids */
            assessed_ids: number[];
            /** Group Id */
            group_id: number;
            /**
             * With Unsure
             * @default false
             */
            with_unsure?: boolean;
        };
        /**
         * JoinedHost
         * @description What became of one: `added`, `updated` (a host of the fleet that is known from an older bundle), or `left_out`, and why.
         */
        JoinedHost: {
            /** Assessed Id */
            assessed_id: number;
            /** Host Id */
            host_id: string | null;
            /** Name */
            name: string;
            /**
             * Outcome
             * @enum {string}
             */
            outcome: "added" | "updated" | "left_out";
            /** Words */
            words: string;
        };
        /**
         * KeysImport
         * @description Keys of hosts, from a file that was made on a trusted network: known_hosts, or CSV (`host,key` or `host,port,key`).
         */
        KeysImport: {
            /**
             * Form
             * @enum {string}
             */
            form: "known_hosts" | "csv";
            /**
             * Is Applied
             * @default false
             */
            is_applied?: boolean;
            /**
             * Replaces
             * @default false
             */
            replaces?: boolean;
            /** Text */
            text: string;
        };
        /**
         * KindOut
         * @description A kind of notice.
         */
        KindOut: {
            /**
             * Kind
             * @enum {string}
             */
            kind: "paths" | "symptom" | "guard_rail" | "needs_human" | "waiting_job" | "failed_job" | "worse" | "silent" | "alarm" | "approval" | "ending" | "break_glass" | "grant" | "password" | "provider" | "plumbline" | "job" | "report" | "drift" | "ticket" | "test";
            /** Words */
            words: string;
        };
        /**
         * KnownFromBundle
         * @description The support bundle that a host without an agent is known from. `as_of`: when it was collected, or where it tells no time
         *     (`tells_time` false) when it was uploaded.
         */
        KnownFromBundle: {
            /**
             * Added At
             * Format: date-time
             */
            added_at: string;
            /**
             * As Of
             * Format: date-time
             */
            as_of: string;
            /** Bundle */
            bundle: string;
            /** Kind Label */
            kind_label: string;
            /** Tells Time */
            tells_time: boolean;
        };
        /**
         * LabOut
         * @description The lab. `reason` is why it cannot be removed; empty where it can.
         */
        LabOut: {
            /** Reason */
            reason: string;
            /** Simulated Hosts */
            simulated_hosts: number;
        };
        /**
         * LabRemoval
         * @description The lab is being removed. `setup_code` makes the first admin of the empty installation that starts in its place; it works once.
         */
        LabRemoval: {
            /** Setup Code */
            setup_code: string;
        };
        /**
         * LinkedRule
         * @description A linked rule of another pack: listed under the first, and counted once with it.
         */
        LinkedRule: {
            /** Pack */
            pack: string;
            /** Pack Version */
            pack_version: string;
            /** Rule */
            rule: string;
            /** Rule No */
            rule_no: number;
        };
        /**
         * LoadVerdictOut
         * @description The verdict on one load; `measure` is the result that is judged.
         */
        LoadVerdictOut: {
            after: components["schemas"]["SpreadOut"] | null;
            before: components["schemas"]["SpreadOut"] | null;
            /** Change Percent */
            change_percent: number | null;
            /**
             * Measure
             * @enum {string}
             */
            measure: "iops" | "bytes_per_second";
            /**
             * Outcome
             * @enum {string}
             */
            outcome: "better" | "worse" | "no_effect" | "run_again" | "too_few_runs" | "not_comparable";
            /** Paper Label */
            paper_label: string;
            /** Reason */
            reason: string;
            /** Words */
            words: string;
        };
        /**
         * MailChannel
         * @description A mail channel by which reports of a group can be mailed, and the domains of the people that it writes to.
         */
        MailChannel: {
            /** Domains */
            domains: string[];
            /** Id */
            id: number;
            /** Name */
            name: string;
        };
        /**
         * MailCreate
         * @description Mails a report: by a mail channel, to people in the domains that the channel writes to.
         */
        MailCreate: {
            /** Channel Id */
            channel_id: number;
            /**
             * Form
             * @default attachment
             * @enum {string}
             */
            form?: "attachment" | "link";
            /**
             * Formats
             * @default [
             *       "pdf"
             *     ]
             */
            formats?: ("pdf" | "xlsx" | "csv" | "json")[];
            /** Recipients */
            recipients: string[];
        };
        /**
         * MailTo
         * @description A mail server of the site, and the recipients.
         */
        MailTo: {
            /**
             * Account
             * @default
             */
            account?: string;
            /**
             * Password
             * @default
             */
            password?: string;
            /**
             * Port
             * @default 587
             */
            port?: number;
            /**
             * Security
             * @default starttls
             * @enum {string}
             */
            security?: "starttls" | "ssl" | "insecure";
            /** Sender */
            sender: string;
            /** Server */
            server: string;
            /** To */
            to: string[];
        };
        /**
         * MaintenanceWindowOut
         * @description One maintenance window, and when it is open next.
         */
        MaintenanceWindowOut: {
            /** Ended At */
            ended_at: string | null;
            /** Group Id */
            group_id: number;
            /** Group Name */
            group_name: string;
            /** Id */
            id: number;
            /** Lasts Minutes */
            lasts_minutes: number;
            /** Name */
            name: string;
            /** Next Open */
            next_open: string | null;
            /** Nth */
            nth: number[];
            /** On Date */
            on_date: string;
            /** Open Until */
            open_until: string | null;
            /** Starts At Time */
            starts_at_time: string;
            /** Time Zone */
            time_zone: string;
            /** Weekdays */
            weekdays: number[];
        };
        /**
         * Matrix
         * @description Hosts x rules, or, if there are too many hosts for rows of their own, groups of hosts x rules.
         */
        Matrix: {
            /**
             * As Of
             * Format: date-time
             */
            as_of: string;
            /**
             * By
             * @enum {string}
             */
            by: "cluster" | "group";
            /** Groups */
            groups: components["schemas"]["MatrixGroup"][];
            /** Hidden Rules */
            hidden_rules: number;
            /** Hosts */
            hosts: components["schemas"]["MatrixHost"][];
            /** Hosts Apart */
            hosts_apart: number;
            /** Is Aggregate */
            is_aggregate: boolean;
            /** More */
            more: number;
            /** Most Hosts */
            most_hosts: number;
            /** Rules */
            rules: components["schemas"]["MatrixRule"][];
            /** Total Hosts */
            total_hosts: number;
        };
        /**
         * MatrixGroup
         * @description An aggregate row: a group or a cluster. Each cell counts its hosts by the status of one rule, without the statuses that none has;
         *     None where no host has a finding of the rule.
         */
        MatrixGroup: {
            /** Cells */
            cells: ({
                [key: string]: number;
            } | null)[];
            /** Hosts */
            hosts: number;
            /** Key */
            key: string;
            /** Label */
            label: string;
            /** Score Mean */
            score_mean: number | null;
        };
        /**
         * MatrixHost
         * @description A row: a host with one status for each column, in the columns' order; None if it has no finding of the rule.
         */
        MatrixHost: {
            /** Cells */
            cells: (("fail" | "unknown" | "excluded" | "waived" | "advice" | "pass" | "not_applicable") | null)[];
            /** Cluster */
            cluster: string;
            /**
             * Freshness
             * @enum {string}
             */
            freshness: "fresh" | "late" | "silent" | "never" | "bundle";
            /** Group Id */
            group_id: number;
            /** Group Name */
            group_name: string;
            /** Id */
            id: string;
            /** Name */
            name: string;
            /** Score */
            score: number | null;
        };
        /**
         * MatrixRule
         * @description A column of the matrix: a rule, and the rules linked to it (`also`).
         */
        MatrixRule: {
            /** Also */
            also: components["schemas"]["LinkedRule"][];
            /** Hosts Failing */
            hosts_failing: number;
            /** Kind */
            kind: string;
            /** Pack */
            pack: string;
            /** Rule */
            rule: string;
            /** Rule No */
            rule_no: number;
            /** Title */
            title: string;
        };
        /**
         * MistakeOut
         * @description One thing that is wrong with an uploaded pack.
         */
        MistakeOut: {
            /** File */
            file: string;
            /** Line */
            line: number;
            /** Message */
            message: string;
        };
        /**
         * MovedGroup
         * @description A group that was moved after the instant of a past state, and when last.
         */
        MovedGroup: {
            /**
             * At
             * Format: date-time
             */
            at: string;
            /** Id */
            id: number;
            /** Name */
            name: string;
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
         * NamedSubject
         * @description A subject that is there.
         */
        NamedSubject: {
            /** Id */
            id: string;
            /** Name */
            name: string;
        };
        /**
         * NewlyFailing
         * @description A host with rules that began to fail in the last 24 hours; `words` is the headline of the first, and how many more there are.
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
         * NoRule
         * @description A row of a paper that became no rule, and why.
         */
        NoRule: {
            /** Because */
            because: string;
            /** Id */
            id: string;
        };
        /**
         * NoticeOut
         * @description One notice; `kept_back` is why it was not sent, empty where it was.
         */
        NoticeOut: {
            /**
             * At
             * Format: date-time
             */
            at: string;
            /** Deliveries */
            deliveries: components["schemas"]["DeliveryOut"][];
            /** Group Id */
            group_id: number;
            /** Group Name */
            group_name: string;
            /** Hosts */
            hosts: components["schemas"]["NamedHost"][];
            /** Id */
            id: number;
            /** Kept Back */
            kept_back: string;
            /**
             * Kind
             * @enum {string}
             */
            kind: "paths" | "symptom" | "guard_rail" | "needs_human" | "waiting_job" | "failed_job" | "worse" | "silent" | "alarm" | "approval" | "ending" | "break_glass" | "grant" | "password" | "provider" | "plumbline" | "job" | "report" | "drift" | "ticket" | "test";
            /** Kind Words */
            kind_words: string;
            /** Lines */
            lines: string[];
            /** Page */
            page: string;
            /** Title */
            title: string;
        };
        /**
         * NoticePage
         * @description Notices, newest first. `next` continues below.
         */
        NoticePage: {
            /** Items */
            items: components["schemas"]["NoticeOut"][];
            /** Next */
            next: number | null;
        };
        /**
         * OddPeer
         * @description A peer that differs from the majority.
         */
        OddPeer: {
            /** Name */
            name: string;
            /** Value */
            value: string;
        };
        /**
         * OnCall
         * @description The open problems of a scope, the most urgent first, and the snoozed ones. `total` counts all, also those not listed.
         *
         *     `undoable` are the latest changes that can still be undone, whoever made them.
         */
        OnCall: {
            /** Approvers About */
            approvers_about: string[];
            /**
             * As Of
             * Format: date-time
             */
            as_of: string;
            /** Hours */
            hours: number;
            /** Problems */
            problems: components["schemas"]["ProblemOut"][];
            /** Snoozed */
            snoozed: components["schemas"]["ProblemOut"][];
            /** Total */
            total: number;
            /** Undoable */
            undoable: components["schemas"]["JobRow"][];
        };
        /**
         * OpenRequests
         * @description What others requested and nobody has decided yet, and jobs that need attention. The caller's own requests are not counted.
         */
        OpenRequests: {
            /** Baselines */
            baselines: number;
            /** Jobs */
            jobs: number;
            /** Plans */
            plans: number;
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
         * @description The overview of the fleet.
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
            events: components["schemas"]["FleetEventOut"][];
            /** Failing Rules */
            failing_rules: components["schemas"]["FailingRule"][];
            group: components["schemas"]["OverviewGroup"];
            headline: components["schemas"]["Headline"];
            /** Newly Failing */
            newly_failing: components["schemas"]["NewlyFailing"][];
            open: components["schemas"]["OpenRequests"];
            outcomes: components["schemas"]["OutcomeCounts"];
            score: components["schemas"]["FleetScore"];
            /** Silent */
            silent: components["schemas"]["SilentHost"][];
            /** Stricter */
            stricter: components["schemas"]["StricterPack"][];
            /** Trend */
            trend: components["schemas"]["TrendDay"][];
            /** Waiting */
            waiting: number;
            /** Worse */
            worse: components["schemas"]["WorseGroup"][];
            /**
             * Worse As Of
             * Format: date-time
             */
            worse_as_of: string;
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
         * OwnPassword
         * @description The person's password, before an act that requires it again.
         */
        OwnPassword: {
            /** Password */
            password: string;
        };
        /**
         * OwnSession
         * @description One of the person's sessions, as their own page lists it.
         */
        OwnSession: {
            /** Address */
            address: string;
            /** Agent */
            agent: string;
            /** Is By Provider */
            is_by_provider: boolean;
            /** Is This */
            is_this: boolean;
            /** Key */
            key: string;
            /**
             * Last Used At
             * Format: date-time
             */
            last_used_at: string;
            /**
             * Started At
             * Format: date-time
             */
            started_at: string;
        };
        /**
         * PackDetail
         * @description A pack in full. `linked_packs` have rules linked to its rules: usually other editions of its paper.
         */
        PackDetail: {
            /** Groups */
            groups: components["schemas"]["PackGroup"][];
            /** History */
            history: components["schemas"]["PackEvent"][];
            /** Is Builtin */
            is_builtin: boolean;
            /** Linked Packs */
            linked_packs: string[];
            /** No Rules */
            no_rules: components["schemas"]["NoRule"][];
            /** Pack */
            pack: string;
            /** Papers */
            papers: string[];
            /** Summary */
            summary: string;
            /** Title */
            title: string;
            /** Versions */
            versions: components["schemas"]["PackVersionRow"][];
        };
        /**
         * PackDifference
         * @description Two versions of a pack side by side. `needs` is the least version number that the changes call for.
         */
        PackDifference: {
            /** Is Enough */
            is_enough: boolean;
            /** Needs */
            needs: string;
            /** New Version */
            new_version: string;
            /** Old Version */
            old_version: string;
            /** Pack */
            pack: string;
            /** Papers Changed */
            papers_changed: boolean;
            /** Rules */
            rules: components["schemas"]["RuleDifference"][];
        };
        /**
         * PackEvent
         * @description One line of a pack's history.
         */
        PackEvent: {
            /**
             * At
             * Format: date-time
             */
            at: string;
            /** By */
            by: string;
            /** Group */
            group: string;
            /** Reason */
            reason: string;
            /** Words */
            words: string;
        };
        /**
         * PackGroup
         * @description What is in force for one group: its own activation, or what it inherits (`from_group`).
         */
        PackGroup: {
            /** Activated At */
            activated_at: string | null;
            /** Activated By */
            activated_by: string;
            /** From Group */
            from_group: string;
            /** Grace Until */
            grace_until: string | null;
            /** Hosts */
            hosts: number;
            /**
             * How
             * @enum {string}
             */
            how: "own" | "inherited" | "off" | "off_inherited" | "none";
            /** Id */
            id: number;
            /** Name */
            name: string;
            /** Parent Id */
            parent_id: number | null;
            /** Path */
            path: string;
            /** Reason */
            reason: string;
            /** Version */
            version: string | null;
            /** Version Id */
            version_id: number | null;
        };
        /**
         * PackList
         * @description All packs, and the unpublished drafts.
         */
        PackList: {
            /** Items */
            items: components["schemas"]["PackSummary"][];
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
         * PackSummary
         * @description A pack with the version that evaluates on the topmost group the reader sees; `hosts` are evaluated by any version of it.
         */
        PackSummary: {
            /** Grace Until */
            grace_until: string | null;
            /** Hosts */
            hosts: number;
            /** In Force */
            in_force: components["schemas"]["PackVersionRow"][];
            /** Is Builtin */
            is_builtin: boolean;
            newest: components["schemas"]["PackVersionRow"];
            /** Pack */
            pack: string;
            /** Summary */
            summary: string;
            /** Superseded By */
            superseded_by: string;
            /** Title */
            title: string;
            /** Versions */
            versions: number;
        };
        /**
         * PackVersionRow
         * @description A published version. `groups` are those on which it is activated; what they pass down is in `PackGroup`.
         */
        PackVersionRow: {
            /** Content Hash */
            content_hash: string;
            /** Groups */
            groups: components["schemas"]["GroupName"][];
            /** Id */
            id: number;
            /** Note */
            note: string;
            /**
             * Published At
             * Format: date-time
             */
            published_at: string;
            /** Published By */
            published_by: string;
            /** Rules */
            rules: number;
            /** Version */
            version: string;
        };
        /**
         * PacksSideBySide
         * @description Two packs side by side, each in its newest version. `alike` counts rules that are equal in text and places.
         */
        PacksSideBySide: {
            /** Alike */
            alike: number;
            /** Both */
            both: components["schemas"]["SideBySidePair"][];
            /** First */
            first: string;
            /** First Version */
            first_version: string;
            /** Only First */
            only_first: components["schemas"]["SideBySideRule"][];
            /** Only Second */
            only_second: components["schemas"]["SideBySideRule"][];
            /** Second */
            second: string;
            /** Second Version */
            second_version: string;
        };
        /**
         * PaperBed
         * @description What a paper behind the rule was measured on, in words.
         */
        PaperBed: {
            /** Edition */
            edition: string;
            /** Paper */
            paper: string;
            /** Words */
            words: string;
        };
        /**
         * PaperLine
         * @description One statement of a paper that this rule covers; `at` is its place there.
         */
        PaperLine: {
            /** At */
            at: string;
            /** Id */
            id: string;
            /** Says */
            says: string;
        };
        /**
         * PasskeyAnswer
         * @description A browser's answer about a passkey: `PublicKeyCredential.toJSON()`.
         */
        PasskeyAnswer: {
            /** Id */
            id: string;
            /** Rawid */
            rawId: string;
            response: components["schemas"]["PasskeyResponse"];
            /**
             * Type
             * @constant
             */
            type: "public-key";
        };
        /**
         * PasskeyResponse
         * @description What the authenticator signed.
         */
        PasskeyResponse: {
            /** Attestationobject */
            attestationObject?: string | null;
            /** Authenticatordata */
            authenticatorData?: string | null;
            /** Clientdatajson */
            clientDataJSON: string;
            /** Signature */
            signature?: string | null;
            /** Userhandle */
            userHandle?: string | null;
        };
        /**
         * PasswordChange
         * @description The present password and the new one.
         */
        PasswordChange: {
            /** New Password */
            new_password: string;
            /** Password */
            password: string;
        };
        /**
         * PastBundle
         * @description The support bundle that a configuration is from. `collected_at` is null where it tells no time.
         */
        PastBundle: {
            /**
             * Added At
             * Format: date-time
             */
            added_at: string;
            /** Bundle */
            bundle: string;
            /** Collected At */
            collected_at: string | null;
        };
        /**
         * PastCreate
         * @description The fleet at an instant, evaluated by what was in force then, or by other versions.
         */
        PastCreate: {
            /**
             * As Of
             * Format: date-time
             */
            as_of: string;
            /** Group Id */
            group_id: number;
            /**
             * Version Ids
             * @default []
             */
            version_ids?: number[];
        };
        /**
         * PastFinding
         * @description A finding of a rule as of then; `now` is the status of the same finding today, empty if there is none.
         */
        PastFinding: {
            /** Command */
            command: string;
            /** Excluded By */
            excluded_by: string;
            /** Expected */
            expected: string;
            /** Headline */
            headline: string;
            /** Kind */
            kind: string;
            /** Now */
            now: string;
            /** Observed */
            observed: string;
            /**
             * Outcome
             * @enum {string}
             */
            outcome: "pass" | "fail" | "not_applicable" | "unknown";
            /** Pack */
            pack: string;
            /** Reason */
            reason: string;
            /** Rule */
            rule: string;
            /** Section */
            section: string;
            /**
             * Standing
             * @enum {string}
             */
            standing: "fail" | "unknown" | "excluded" | "waived" | "advice" | "pass" | "not_applicable";
            subject: components["schemas"]["SubjectOut"];
            /** Title */
            title: string;
        };
        /**
         * PastVersion
         * @description A pack version that evaluated a host in a past state; `is_chosen` if the reader chose it.
         */
        PastVersion: {
            /** In Grace */
            in_grace: boolean;
            /** Is Chosen */
            is_chosen: boolean;
            /** Pack */
            pack: string;
            /** Version */
            version: string;
            /** Version Id */
            version_id: number;
        };
        /**
         * PathAdapter
         * @description An adapter that carries paths. `issue` is what is wrong with it; empty if nothing. No `switch`: its host was never asked.
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
            switch: components["schemas"]["AdapterSwitch"] | null;
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
         * PendingEffect
         * @description One change that waits: for what, since when, and by which job.
         */
        PendingEffect: {
            host: components["schemas"]["NamedHost"];
            /** Job Id */
            job_id: number;
            /**
             * Kind
             * @enum {string}
             */
            kind: "change" | "undo";
            /** Plan Id */
            plan_id: number;
            /** Plan Title */
            plan_title: string;
            /** Settings */
            settings: string[];
            /**
             * Since
             * Format: date-time
             */
            since: string;
            /**
             * Waits For
             * @enum {string}
             */
            waits_for: "new_session" | "reboot";
            /** Words */
            words: string;
        };
        /**
         * PeriodInput
         * @description A period: a preset, or with "custom" its first and last day. The default is the last 90 days.
         */
        PeriodInput: {
            /** First Day */
            first_day?: string | null;
            /** Last Day */
            last_day?: string | null;
            /**
             * Preset
             * @default last_90_days
             * @enum {string}
             */
            preset?: "this_quarter" | "last_quarter" | "this_month" | "last_month" | "last_week" | "last_30_days" | "last_90_days" | "this_year" | "custom";
            /**
             * Time Zone
             * @default UTC
             */
            time_zone?: string;
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
         * PersonName
         * @description A person by name.
         */
        PersonName: {
            /** Id */
            id: number;
            /** Name */
            name: string;
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
            /** Has Second Factor */
            has_second_factor: boolean | null;
            /** Id */
            id: number;
            /** Is Disabled */
            is_disabled: boolean;
            /** Is Of Provider */
            is_of_provider: boolean;
            /** Last Signed In At */
            last_signed_in_at: string | null;
            /** Login */
            login: string;
            /** Oidc Groups */
            oidc_groups: string[];
        };
        /**
         * PersonUpdate
         * @description Only the fields that are sent are changed. A new password or a disabled account ends the person's sessions and tokens.
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
         * Ping
         * @description One do-not-fragment ping. `source` is what the host's own ping is bound to: a VMkernel interface (`vmk1`), or on Windows the source
         *     address. `portal` is an address without a port.
         */
        Ping: {
            /** Portal */
            portal: string;
            /** Source */
            source: string;
        };
        /**
         * Plan
         * @description The ordered steps that would clear the chosen findings, and everything that was left out with its reason.
         *
         *     The plan pauses as soon as `failure_budget` jobs, at least 1, ended other than well. `already_right` are chosen findings whose
         *     values are what the fix would set. `packs` are `pack@version` of the rules. `without_job` are parts of hosts that Plumbline may not
         *     change or cannot reach: their findings are among the refusals, no job is made of them, and their commands are for people to copy.
         */
        Plan: {
            /** Already Right */
            already_right: components["schemas"]["FindingRef"][];
            /** Checklists */
            checklists: components["schemas"]["Checklist"][];
            /** Failure Budget */
            failure_budget: number;
            forecast: components["schemas"]["Forecast"];
            /** Hosts */
            hosts: components["schemas"]["HostPlan"][];
            /** Packs */
            packs: string[];
            /** Refusals */
            refusals: components["schemas"]["Refusal"][];
            /** Title */
            title: string;
            /** V */
            v: number;
            /** Waves */
            waves: components["schemas"]["Wave"][];
            /**
             * Without Job
             * @default []
             */
            without_job?: components["schemas"]["HostPlan"][];
        };
        /**
         * PlanCreate
         * @description What is wanted. At least one finding, one rule with hosts on which it fails, or one setting with its value.
         */
        PlanCreate: {
            /** Findings */
            findings?: components["schemas"]["FindingChoice"][];
            /** Not After */
            not_after?: string | null;
            /** Not Before */
            not_before?: string | null;
            options?: components["schemas"]["PlanOptions"];
            /**
             * Reason
             * @default
             */
            reason?: string;
            /** Rules */
            rules?: components["schemas"]["RuleChoice"][];
            /** Settings */
            settings?: components["schemas"]["SettingChoice"][];
            /**
             * Ticket
             * @default
             */
            ticket?: string;
            /**
             * Title
             * @default
             */
            title?: string;
            /** Window Id */
            window_id?: number | null;
        };
        /**
         * PlanDetail
         * @description One plan, whole. `document` is the planner's own: hosts with steps, waves, refusals, checklists (see `planning/plan.py`).
         */
        PlanDetail: {
            approval: components["schemas"]["ApprovalOut"] | null;
            /** Author */
            author: string;
            /** Author Id */
            author_id: number;
            /** Bake Until */
            bake_until: string | null;
            /** Break Glass By */
            break_glass_by: string;
            /**
             * Created At
             * Format: date-time
             */
            created_at: string;
            /** Digest */
            digest: string;
            document: components["schemas"]["Plan"] | null;
            /** Events */
            events: components["schemas"]["PlanEventOut"][];
            /** Freezes */
            freezes: components["schemas"]["FreezeOut"][];
            /** Group Id */
            group_id: number;
            /** Group Name */
            group_name: string;
            /** Hosts */
            hosts: number;
            /** Id */
            id: number;
            /** Job Rows */
            job_rows: components["schemas"]["JobRow"][];
            /** Jobs */
            jobs: {
                [key: string]: number;
            };
            /** May */
            may: string[];
            /** Not After */
            not_after: string | null;
            /** Not Before */
            not_before: string | null;
            /** Reason */
            reason: string;
            /** Request */
            request: {
                [key: string]: unknown;
            };
            /** State */
            state: string;
            /**
             * State At
             * Format: date-time
             */
            state_at: string;
            /** State Label */
            state_label: string;
            /** State Words */
            state_words: string;
            /** Switch Ports */
            switch_ports: {
                [key: string]: string[];
            };
            /** Ticket */
            ticket: string;
            /** Title */
            title: string;
            /** Wave */
            wave: number;
            /** Window Id */
            window_id: number | null;
        };
        /**
         * PlanEventOut
         * @description One thing that happened to a plan.
         */
        PlanEventOut: {
            /** Actor */
            actor: string;
            /**
             * At
             * Format: date-time
             */
            at: string;
            /** Data */
            data: {
                [key: string]: unknown;
            };
            /** Kind */
            kind: string;
            /** Number */
            number: number;
            /** State */
            state: string;
            /** Words */
            words: string;
        };
        /**
         * PlanOptions
         * @description How carefully it runs; what is left out is decided by the planner.
         */
        PlanOptions: {
            /** Canary */
            canary?: string | null;
            /** Canary Bake S */
            canary_bake_s?: number | null;
            /** Deadman S */
            deadman_s?: number | null;
            /** Failure Budget */
            failure_budget?: number | null;
            /** Frame Attested By */
            frame_attested_by?: string | null;
            /** Wave Bake S */
            wave_bake_s?: number | null;
            /** Wave Size */
            wave_size?: number | null;
        };
        /**
         * PlanPage
         * @description One page of plans, newest first.
         */
        PlanPage: {
            /** Items */
            items: components["schemas"]["PlanRow"][];
            /** Next */
            next: string | null;
        };
        /**
         * PlanPreview
         * @description What a plan for the host would hold if its agent reported what the bundle shows. It can be read and copied, never approved or run.
         */
        PlanPreview: {
            /** Left Out */
            left_out: components["schemas"]["PreviewLeftOut"][];
            /** Manual */
            manual: components["schemas"]["PreviewManual"][];
            /** Script */
            script: string;
            /** Steps */
            steps: components["schemas"]["PreviewStep"][];
            /** Words */
            words: string;
        };
        /**
         * PlanRow
         * @description One plan in a list.
         */
        PlanRow: {
            /** Author */
            author: string;
            /** Author Id */
            author_id: number;
            /**
             * Created At
             * Format: date-time
             */
            created_at: string;
            /** Digest */
            digest: string;
            /** Group Id */
            group_id: number;
            /** Group Name */
            group_name: string;
            /** Hosts */
            hosts: number;
            /** Id */
            id: number;
            /** Jobs */
            jobs: {
                [key: string]: number;
            };
            /** Not After */
            not_after: string | null;
            /** State */
            state: string;
            /**
             * State At
             * Format: date-time
             */
            state_at: string;
            /** State Label */
            state_label: string;
            /** State Words */
            state_words: string;
            /** Title */
            title: string;
        };
        /**
         * PlanSubmit
         * @description Asks for approval, with the reason if it was not given before.
         */
        PlanSubmit: {
            /** Reason */
            reason?: string | null;
        };
        /**
         * PointsLost
         * @description What one rule costs the host: `points_lost` of 100. `headline` says what is wrong and where.
         */
        PointsLost: {
            /** Headline */
            headline: string;
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
         * PreviewCreate
         * @description What an activation would change: as `Activation`, or with a draft that is not published.
         */
        PreviewCreate: {
            /** Draft Id */
            draft_id?: number | null;
            /** Group Id */
            group_id: number;
            /**
             * In Grace
             * @default false
             */
            in_grace?: boolean;
            /** Pack */
            pack: string;
            /** Version Id */
            version_id?: number | null;
            /**
             * What
             * @enum {string}
             */
            what: "version" | "draft" | "off" | "inherit";
        };
        /**
         * PreviewElement
         * @description One value that a step sets: as the bundle shows it, and as the rules require it.
         */
        PreviewElement: {
            /** Label */
            label: string;
            /** Seen */
            seen: string;
            /** Target */
            target: string;
        };
        /**
         * PreviewFinding
         * @description A failing finding that a part of the preview is about; `item` is empty for the host itself.
         */
        PreviewFinding: {
            /** Item */
            item: string;
            /** Pack */
            pack: string;
            /** Rule */
            rule: string;
            /** Title */
            title: string;
        };
        /**
         * PreviewHost
         * @description What a waiver would change on one host.
         */
        PreviewHost: {
            /** Cap After */
            cap_after: string;
            /** Capped By */
            capped_by: string;
            /** Findings */
            findings: number;
            host: components["schemas"]["NamedHost"];
            /** Score */
            score: number | null;
            /** Score After */
            score_after: number | null;
        };
        /**
         * PreviewLeftOut
         * @description Findings that the planner leaves out: why, and the command that shows it on the host. `steps` would fix them where only a fact is not
         *     known that a person can look up there; none where something known stands against it.
         */
        PreviewLeftOut: {
            /** Command */
            command: string;
            /** Findings */
            findings: components["schemas"]["PreviewFinding"][];
            /** Steps */
            steps: components["schemas"]["PreviewStep"][];
            /** Words */
            words: string;
        };
        /**
         * PreviewManual
         * @description Findings that only a person can fix: why, and the steps.
         */
        PreviewManual: {
            /** Because */
            because: string;
            /** Findings */
            findings: components["schemas"]["PreviewFinding"][];
            /** Steps */
            steps: string[];
        };
        /**
         * PreviewRunOut
         * @description A run. `is_outdated`: other rules came into force since, so its figures are old; `moved_groups`: for a past state, the groups that
         *     had another parent group then.
         */
        PreviewRunOut: {
            /**
             * As Of
             * Format: date-time
             */
            as_of: string;
            /** Chosen */
            chosen: components["schemas"]["ChosenVersion"][];
            /** Error */
            error: string;
            figures: components["schemas"]["RunFigures"] | null;
            /** Finished At */
            finished_at: string | null;
            group: components["schemas"]["GroupName"];
            /** Hosts Done */
            hosts_done: number;
            /** Hosts Total */
            hosts_total: number;
            /** Id */
            id: number;
            /** Is Outdated */
            is_outdated: boolean;
            /**
             * Kind
             * @enum {string}
             */
            kind: "preview" | "past";
            /** Moved Groups */
            moved_groups: components["schemas"]["MovedGroup"][];
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
            state: "queued" | "running" | "ready" | "failed";
        };
        /**
         * PreviewStep
         * @description One step: what it sets, what it interrupts, what has to hold before it, and what a person would type for it and to undo it.
         */
        PreviewStep: {
            /** Commands */
            commands: string[];
            /** Elements */
            elements: components["schemas"]["PreviewElement"][];
            /** Findings */
            findings: components["schemas"]["PreviewFinding"][];
            /**
             * Impact
             * @enum {string}
             */
            impact: "none" | "new_sessions" | "adapter_restart" | "path_loss" | "maintenance" | "reboot" | "unknown";
            /** Needed */
            needed: string[];
            /** Number */
            number: number;
            /** Title */
            title: string;
            /** Undo */
            undo: string[];
            /** Words */
            words: string;
        };
        /**
         * ProbeAsk
         * @description The L3 size to ping with: 9000 for jumbo frames as ESXi and most switches count them.
         */
        ProbeAsk: {
            /** Size Bytes */
            size_bytes: number;
        };
        /**
         * ProbePing
         * @description One ping. `source` is the interface (ESXi) or address (Windows) that it is bound to; `outcome` is null until it is known.
         */
        ProbePing: {
            /** Adapter */
            adapter: string;
            /** Adapter Name */
            adapter_name: string;
            /** Outcome */
            outcome: ("ok" | "too_big" | "silent" | "not_run") | null;
            /** Portal */
            portal: string;
            /** Source */
            source: string;
        };
        /**
         * ProbeRunOut
         * @description One set of pings with its outcome.
         */
        ProbeRunOut: {
            /**
             * Asked At
             * Format: date-time
             */
            asked_at: string;
            /** Asked By */
            asked_by: string;
            /** Finished At */
            finished_at: string | null;
            /** Host Id */
            host_id: string;
            /** Id */
            id: number;
            /** Pings */
            pings: components["schemas"]["ProbePing"][];
            /** Proves Until */
            proves_until: string | null;
            /** Size Bytes */
            size_bytes: number;
            /**
             * State
             * @enum {string}
             */
            state: "waiting" | "running" | "done" | "failed";
            /** Words */
            words: string;
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
         * ProblemCause
         * @description A failing rule that could explain a symptom; `subject_id` is its first item.
         */
        ProblemCause: {
            /** Headline */
            headline: string;
            /** Pack */
            pack: string;
            /** Rule */
            rule: string;
            /** Subject Id */
            subject_id: string;
        };
        /**
         * ProblemChange
         * @description A setting that the failing rules read and that changed lately; `id` names its event on the drift page.
         */
        ProblemChange: {
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
            /** Label */
            label: string;
            /** New */
            new: string;
            /** Old */
            old: string;
            /** Subject */
            subject: string;
        };
        /**
         * ProblemFix
         * @description A fix that a plan can carry out on this host. `standing` is None where an approver has to sign it first.
         */
        ProblemFix: {
            /** Findings */
            findings: components["schemas"]["FindingChoice"][];
            /** Impact */
            impact: string;
            /** Impact Words */
            impact_words: string;
            /** Pack */
            pack: string;
            /** Rule */
            rule: string;
            standing: components["schemas"]["StandingUse"] | null;
            /** Title */
            title: string;
        };
        /**
         * ProblemNoteOut
         * @description An acknowledgement or snooze of a problem. It ends at its time, or when the problem gets a new part.
         */
        ProblemNoteOut: {
            /** By */
            by: string;
            /** Is Mine */
            is_mine: boolean;
            /**
             * Kind
             * @enum {string}
             */
            kind: "acknowledged" | "snoozed";
            /**
             * Made At
             * Format: date-time
             */
            made_at: string;
            /** Reason */
            reason: string;
            /**
             * Until
             * Format: date-time
             */
            until: string;
        };
        /**
         * ProblemOut
         * @description One open problem of one host.
         */
        ProblemOut: {
            /** Alike */
            alike: number;
            /** Causes */
            causes: components["schemas"]["ProblemCause"][];
            /** Changes */
            changes: components["schemas"]["ProblemChange"][];
            /** Fixes */
            fixes: components["schemas"]["ProblemFix"][];
            /** Group Name */
            group_name: string;
            host: components["schemas"]["NamedHost"];
            /** Job Id */
            job_id: number | null;
            /** Key */
            key: string;
            /**
             * Kind
             * @enum {string}
             */
            kind: "needs_human" | "paths" | "symptom" | "guard_rail" | "worse" | "silent" | "waiting_job" | "failed_job";
            /** Kind Label */
            kind_label: string;
            /** May */
            may: string[];
            /** No Fix Because */
            no_fix_because: string;
            note: components["schemas"]["ProblemNoteOut"] | null;
            /** Paths Healthy */
            paths_healthy: number | null;
            /** Paths Total */
            paths_total: number | null;
            /** Score */
            score: number | null;
            /** Series */
            series: string[];
            /** Since */
            since: string | null;
            /** Takes Away */
            takes_away: string;
            /** Tickets */
            tickets: components["schemas"]["TicketOut"][];
            /** Words */
            words: string;
        };
        /**
         * ProofCreate
         * @description Runs before and after one change of a host, with answers to what no file tells. `pack` and `rule` name the finding it is about.
         */
        ProofCreate: {
            /** After */
            after: number[];
            /** Answers */
            answers?: {
                [key: string]: "yes" | "no" | "unknown";
            };
            /** Before */
            before: number[];
            /** Host Id */
            host_id: string;
            /** Job Id */
            job_id?: number | null;
            /**
             * Pack
             * @default
             */
            pack?: string;
            /**
             * Rule
             * @default
             */
            rule?: string;
            /** Title */
            title: string;
        };
        /**
         * ProofDecision
         * @description What is made of a proof. `plan_id` is the plan that reverts the change, `test_again_on` the day of a waiver's next test.
         */
        ProofDecision: {
            /**
             * Decision
             * @enum {string}
             */
            decision: "keep" | "revert" | "waive";
            /** Plan Id */
            plan_id?: number | null;
            /**
             * Reason
             * @default
             */
            reason?: string;
            /** Test Again On */
            test_again_on?: string | null;
        };
        /**
         * ProofDetail
         * @description One proof, whole.
         */
        ProofDetail: {
            /**
             * Advice
             * @enum {string}
             */
            advice: "keep" | "revert" | "waive" | "run_again" | "decide";
            /** After */
            after: components["schemas"]["RunRow"][];
            /** Answers */
            answers: components["schemas"]["AnswerOut"][];
            /** Before */
            before: components["schemas"]["RunRow"][];
            /** Change Percent */
            change_percent: number | null;
            /** Changes */
            changes: components["schemas"]["ChangeBetween"][];
            /** Decided At */
            decided_at: string | null;
            /** Decided By */
            decided_by: string;
            /**
             * Decision
             * @enum {string}
             */
            decision: "open" | "keep" | "revert" | "waive";
            /** Decision Reason */
            decision_reason: string;
            /** Deviations */
            deviations: string[];
            /** Evidence */
            evidence: string;
            /**
             * Grade
             * @enum {string}
             */
            grade: "paper" | "quick_look";
            host: components["schemas"]["NamedHost"];
            /** Id */
            id: number;
            /** Is Time Known */
            is_time_known: boolean;
            /** Job Id */
            job_id: number | null;
            /** Loads */
            loads: components["schemas"]["LoadVerdictOut"][];
            /**
             * Made At
             * Format: date-time
             */
            made_at: string;
            /** Made By */
            made_by: string;
            /** May Decide */
            may_decide: boolean;
            /**
             * Outcome
             * @enum {string}
             */
            outcome: "better" | "worse" | "no_effect" | "run_again" | "too_few_runs" | "not_comparable" | "mixed";
            /** Pack */
            pack: string;
            /** Plan Id */
            plan_id: number | null;
            /** Rule */
            rule: string;
            /** Rule Title */
            rule_title: string;
            /** Subject Id */
            subject_id: string;
            /** Subject Kind */
            subject_kind: string;
            /** Test Again On */
            test_again_on: string | null;
            /** Title */
            title: string;
            /** To Revert */
            to_revert: components["schemas"]["FindingToRevert"][];
        };
        /**
         * ProofMethod
         * @description The papers' method: its bounds, what people are asked, and the papers' own results.
         */
        ProofMethod: {
            /** Largest Deviation Percent */
            largest_deviation_percent: number;
            /** Questions */
            questions: components["schemas"]["AnswerOut"][];
            /** References */
            references: components["schemas"]["ReferenceRunOut"][];
            /** Run Seconds */
            run_seconds: number;
            /** Runs */
            runs: number;
            /** Significant From Percent */
            significant_from_percent: number;
        };
        /**
         * ProofPage
         * @description A page of proofs, the newest first.
         */
        ProofPage: {
            /** Items */
            items: components["schemas"]["ProofRow"][];
            /** Next */
            next: string | null;
        };
        /**
         * ProofRow
         * @description One proof in a list. `change_percent` is the largest change of any load.
         */
        ProofRow: {
            /** Change Percent */
            change_percent: number | null;
            /**
             * Decision
             * @enum {string}
             */
            decision: "open" | "keep" | "revert" | "waive";
            /**
             * Grade
             * @enum {string}
             */
            grade: "paper" | "quick_look";
            host: components["schemas"]["NamedHost"];
            /** Id */
            id: number;
            /** Job Id */
            job_id: number | null;
            /**
             * Made At
             * Format: date-time
             */
            made_at: string;
            /** Made By */
            made_by: string;
            /**
             * Outcome
             * @enum {string}
             */
            outcome: "better" | "worse" | "no_effect" | "run_again" | "too_few_runs" | "not_comparable" | "mixed";
            /** Rule Title */
            rule_title: string;
            /** Title */
            title: string;
        };
        /**
         * ProposedHost
         * @description One host of a proposal. `differences`: what its proposed configuration changes of the accepted one; None where it has none yet.
         *
         *     `has_changed_since`: the host reads otherwise now than when it was proposed; what was proposed is what is accepted.
         */
        ProposedHost: {
            /** Differences */
            differences: components["schemas"]["SettingDifference"][];
            /** Has Baseline */
            has_baseline: boolean;
            /** Has Changed Since */
            has_changed_since: boolean;
            host: components["schemas"]["NamedHost"];
            /** Is Readable */
            is_readable: boolean;
            /** More */
            more: number;
        };
        /**
         * ProviderFound
         * @description One thing that was checked, as a sentence.
         */
        ProviderFound: {
            /** Is Good */
            is_good: boolean;
            /** Words */
            words: string;
        };
        /**
         * ProviderOut
         * @description The identity provider as it is set up. The secret is never part of an answer.
         */
        ProviderOut: {
            /** Ca Certificate */
            ca_certificate: string;
            /** Changed At */
            changed_at: string | null;
            /** Changed By */
            changed_by: string;
            /** Client Id */
            client_id: string;
            /** Groups Claim */
            groups_claim: string;
            /** Is Enabled */
            is_enabled: boolean;
            /** Issuer */
            issuer: string;
            /** Login Claim */
            login_claim: string;
            /** Name */
            name: string;
            /** Redirect Uri */
            redirect_uri: string;
            /** Scopes */
            scopes: string;
            /**
             * Secret
             * @enum {string}
             */
            secret: "none" | "kept" | "file";
        };
        /**
         * ProviderSet
         * @description How the identity provider is set up. Without `client_secret` the stored one stays; an empty one removes it.
         */
        ProviderSet: {
            /**
             * Ca Certificate
             * @default
             */
            ca_certificate?: string;
            /** Client Id */
            client_id: string;
            /** Client Secret */
            client_secret?: string | null;
            /**
             * Groups Claim
             * @default groups
             */
            groups_claim?: string;
            /** Is Enabled */
            is_enabled: boolean;
            /** Issuer */
            issuer: string;
            /**
             * Login Claim
             * @default preferred_username
             */
            login_claim?: string;
            /** Name */
            name: string;
            /**
             * Scopes
             * @default openid profile email
             */
            scopes?: string;
        };
        /**
         * ProviderTrial
         * @description What the provider answers now. No one is signed in by it.
         */
        ProviderTrial: {
            /** Found */
            found: components["schemas"]["ProviderFound"][];
            /** Is Usable */
            is_usable: boolean;
        };
        /**
         * PublishDraft
         * @description Publishing; `note` says what is new, for the history.
         */
        PublishDraft: {
            /**
             * Note
             * @default
             */
            note?: string;
        };
        /**
         * ReachReason
         * @description One reason why the host can or cannot be reached, or may not; a `note` blocks nothing.
         */
        ReachReason: {
            /**
             * About
             * @enum {string}
             */
            about: "way" | "identity" | "credential" | "runner" | "last_try" | "lockdown" | "ssh" | "shell_timeout" | "connection";
            /**
             * State
             * @enum {string}
             */
            state: "yes" | "no" | "unknown" | "note";
            /** Words */
            words: string;
        };
        /**
         * Reason
         * @description Why.
         */
        Reason: {
            /** Reason */
            reason: string;
        };
        /**
         * RecoveryCodes
         * @description Ten codes, each of which takes the place of the second factor once. Shown once; older ones no longer work.
         */
        RecoveryCodes: {
            /** Codes */
            codes: string[];
        };
        /**
         * ReferenceRunOut
         * @description A figure of a paper with the system that it was measured on.
         */
        ReferenceRunOut: {
            /** Adapter */
            adapter: string;
            /** At */
            at: string;
            /** Change */
            change: string;
            /** Load */
            load: string;
            /** Note */
            note: string;
            /** Paper */
            paper: string;
            /** Platform */
            platform: string;
            /** Unit */
            unit: string;
            /** Value */
            value: number;
        };
        /**
         * Refusal
         * @description Why a host, or one finding of it, is left out: the volume, path or fact that stands against it, and what to run to look at it.
         */
        Refusal: {
            /** About */
            about: string;
            /** Command */
            command: string;
            /**
             * Findings
             * @default []
             */
            findings?: components["schemas"]["FindingRef"][];
            /**
             * Gate
             * @enum {string}
             */
            gate: "path_map" | "path_floor" | "path_dead" | "boot_from_san" | "management_path" | "cluster_health" | "node_paused" | "storage_jobs" | "maintenance_mode" | "heavy_load" | "frame_size" | "facts_known" | "facts_fresh" | "release" | "manual_only" | "group_policy" | "driver_limit" | "failure_domain" | "reachable" | "remediation_on";
            /** Host */
            host: string;
            /** Host Name */
            host_name: string;
            /** Words */
            words: string;
        };
        /**
         * ReportCreate
         * @description Requests a report about a group and its subgroups, or about the hosts in it that match a saved view of the hosts page.
         */
        ReportCreate: {
            /** Group Id */
            group_id: number;
            period?: components["schemas"]["PeriodInput"];
            /**
             * Template
             * @default executive
             * @enum {string}
             */
            template?: "executive" | "technical" | "audit" | "exceptions" | "remediation";
            /** View Id */
            view_id?: number | null;
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
            files: components["schemas"]["ReportFileOut"][];
            /**
             * First Day
             * Format: date
             */
            first_day: string;
            /** Group Id */
            group_id: number;
            /** Group Name */
            group_name: string;
            /** Id */
            id: number;
            /**
             * Last Day
             * Format: date
             */
            last_day: string;
            /** Mails */
            mails: components["schemas"]["ReportMailOut"][];
            /** May Export */
            may_export: boolean;
            /** May Mail */
            may_mail: boolean;
            /** Pictures */
            pictures: number;
            /** Preset */
            preset: string;
            /**
             * Requested At
             * Format: date-time
             */
            requested_at: string;
            /** Requested By */
            requested_by: string;
            /** Schedule Id */
            schedule_id: number | null;
            /** Schedule Name */
            schedule_name: string;
            /**
             * State
             * @enum {string}
             */
            state: "queued" | "ready" | "failed";
            /** Template */
            template: string;
            /** Time Zone */
            time_zone: string;
            /** Title */
            title: string;
            /** View Name */
            view_name: string;
        };
        /**
         * ReportFileOut
         * @description One rendered format with its checksum.
         */
        ReportFileOut: {
            /** Bytes */
            bytes: number;
            /** Format */
            format: string;
            /** Sha256 */
            sha256: string;
        };
        /**
         * ReportMailOut
         * @description A mail of a report, and what came of it.
         */
        ReportMailOut: {
            /** Channel Id */
            channel_id: number;
            /** Ended At */
            ended_at: string | null;
            /**
             * Form
             * @enum {string}
             */
            form: "attachment" | "link";
            /** Formats */
            formats: string[];
            /** Id */
            id: number;
            /** Recipients */
            recipients: string[];
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
            state: "waiting" | "sent" | "given_up";
            /** Words */
            words: string;
        };
        /**
         * ReportOut
         * @description One report and its state. `view_name` is empty for a report about a whole group; `pictures` are those of the PDF's first pages.
         */
        ReportOut: {
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
            files: components["schemas"]["ReportFileOut"][];
            /**
             * First Day
             * Format: date
             */
            first_day: string;
            /** Group Id */
            group_id: number;
            /** Group Name */
            group_name: string;
            /** Id */
            id: number;
            /**
             * Last Day
             * Format: date
             */
            last_day: string;
            /** Mails */
            mails: components["schemas"]["ReportMailOut"][];
            /** May Export */
            may_export: boolean;
            /** May Mail */
            may_mail: boolean;
            /** Pictures */
            pictures: number;
            /** Preset */
            preset: string;
            /**
             * Requested At
             * Format: date-time
             */
            requested_at: string;
            /** Requested By */
            requested_by: string;
            /** Schedule Id */
            schedule_id: number | null;
            /** Schedule Name */
            schedule_name: string;
            /**
             * State
             * @enum {string}
             */
            state: "queued" | "ready" | "failed";
            /** Template */
            template: string;
            /** Time Zone */
            time_zone: string;
            /** Title */
            title: string;
            /** View Name */
            view_name: string;
        };
        /**
         * Resolve
         * @description How a person settled a job that needed one.
         */
        Resolve: {
            /** Words */
            words: string;
        };
        /**
         * RoleOn
         * @description A role on a group and its subgroups.
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
         * @description A test case of the rule: `about` is the author's description, `holds` is the host that is evaluated, as YAML.
         */
        RuleCase: {
            /** About */
            about: string;
            /** Expected */
            expected: string;
            /** Holds */
            holds: string;
            /** Name */
            name: string;
        };
        /**
         * RuleChoice
         * @description Every failing finding of one rule on these hosts.
         */
        RuleChoice: {
            /** Host Ids */
            host_ids: string[];
            /** Pack */
            pack: string;
            /** Rule */
            rule: string;
        };
        /**
         * RuleCounter
         * @description One counter a day before and a day after the jobs that fixed a rule: means over those with readings on both sides.
         */
        RuleCounter: {
            /** After */
            after: number;
            /** Before */
            before: number;
            /** Is Lower Better */
            is_lower_better: boolean;
            /** Jobs */
            jobs: number;
            /** Label */
            label: string;
            /** Name */
            name: string;
            /** Unit */
            unit: string;
        };
        /**
         * RuleDetail
         * @description One rule, whole.
         */
        RuleDetail: {
            /** Applies To */
            applies_to: components["schemas"]["AppliesClause"][];
            /** Beds */
            beds: components["schemas"]["PaperBed"][];
            /** Cases */
            cases: components["schemas"]["RuleCase"][];
            /** Covers */
            covers: components["schemas"]["PaperLine"][];
            /** Effect */
            effect: string;
            /** Evidence */
            evidence: components["schemas"]["EvidenceOut"][];
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
            /** Manual Because */
            manual_because: string;
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
         * RuleDifference
         * @description How one rule differs between two versions. `change` names the gravest of its changes.
         */
        RuleDifference: {
            /**
             * Change
             * @enum {string}
             */
            change: "added" | "removed" | "retired" | "expectation" | "scope" | "weight" | "words";
            /** Fields */
            fields: components["schemas"]["FieldChange"][];
            /** Rule */
            rule: string;
            /** Title */
            title: string;
            /** Weight After */
            weight_after: number | null;
            /** Weight Before */
            weight_before: number | null;
            /** Words */
            words: string;
        };
        /**
         * RuleEffect
         * @description What fixing a rule did here: successful jobs of the last `days` days, at most the newest 40. An observation without a comparison.
         */
        RuleEffect: {
            /** Counters */
            counters: components["schemas"]["RuleCounter"][];
            /** Days */
            days: number;
            /** Jobs */
            jobs: number;
        };
        /**
         * RuleHost
         * @description One subject that a rule evaluated, on its host. `headline` and `reason_repeats` as in the findings of a host.
         */
        RuleHost: {
            /** Expected */
            expected: string;
            /** Headline */
            headline: string;
            /** Host Id */
            host_id: string;
            /** Name */
            name: string;
            /** Observed */
            observed: string;
            /** Reason */
            reason: string;
            /** Reason Repeats */
            reason_repeats: boolean;
            /** Score */
            score: number | null;
            /**
             * Standing
             * @enum {string}
             */
            standing: "fail" | "unknown" | "excluded" | "waived" | "advice" | "pass" | "not_applicable";
            subject: components["schemas"]["SubjectOut"];
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
         * RuleName
         * @description A rule by its pack and its name there.
         */
        RuleName: {
            /** Pack */
            pack: string;
            /** Rule */
            rule: string;
        };
        /**
         * RuleOfEvent
         * @description A rule by its pack and its name there.
         */
        RuleOfEvent: {
            /** Pack */
            pack: string;
            /** Rule */
            rule: string;
        };
        /**
         * RuleRemediation
         * @description A plan that was to fix a rule. `hosts` were chosen for it; `pass_now`, `fail_now`: on how many of them it passes or fails now.
         */
        RuleRemediation: {
            /** Author */
            author: string;
            /**
             * Created At
             * Format: date-time
             */
            created_at: string;
            /** Fail Now */
            fail_now: number;
            /** Hosts */
            hosts: number;
            /** Jobs */
            jobs: {
                [key: string]: number;
            };
            /** Pass Now */
            pass_now: number;
            /** Plan Id */
            plan_id: number;
            /** State */
            state: string;
            /** State Label */
            state_label: string;
            /** Title */
            title: string;
        };
        /**
         * RuleRemediations
         * @description The newest plans first; `has_more` where there are older ones than are listed.
         */
        RuleRemediations: {
            /** Has More */
            has_more: boolean;
            /** Items */
            items: components["schemas"]["RuleRemediation"][];
        };
        /**
         * RuleRow
         * @description A rule as lists show it. In `hosts` and `subjects`, findings of the rules in `also` count once.
         */
        RuleRow: {
            /** Also */
            also: components["schemas"]["LinkedRule"][];
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
         * @description A published version of the pack that has this rule. `fields` differ from the version before; none where it only was published.
         */
        RuleVersion: {
            /** Fields */
            fields: components["schemas"]["FieldChange"][];
            /** Is First */
            is_first: boolean;
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
         * @description w = `band_points` x `strength_factor` x fit, for the best evidence; 1 without any. Fit is 1 here, since it depends on the host.
         */
        RuleWeight: {
            /** Band */
            band: string;
            /** Band Points */
            band_points: number;
            /** Fit */
            fit: number;
            /** Strength */
            strength: string;
            /** Strength Factor */
            strength_factor: number;
            /** W */
            w: number;
        };
        /**
         * RunChange
         * @description A finding whose status would change; an empty status: there is no such finding.
         */
        RunChange: {
            /** After */
            after: string;
            /** Before */
            before: string;
            /** Pack */
            pack: string;
            /** Rule */
            rule: string;
            subject: components["schemas"]["SubjectOut"];
            /** Title */
            title: string;
        };
        /**
         * RunDetail
         * @description One run with its file and parameters.
         */
        RunDetail: {
            /** Computer */
            computer: string;
            /** File Id */
            file_id: number;
            /** File Name */
            file_name: string;
            /** File Sha256 */
            file_sha256: string;
            /** File Size Bytes */
            file_size_bytes: number;
            /** Has Configuration */
            has_configuration: boolean;
            host: components["schemas"]["NamedHost"];
            /** Id */
            id: number;
            /** Is Time Known */
            is_time_known: boolean;
            /** Label */
            label: string;
            /** Line */
            line: number;
            load: components["schemas"]["RunLoad"];
            /** May Delete */
            may_delete: boolean;
            /**
             * Measure
             * @enum {string}
             */
            measure: "iops" | "bytes_per_second";
            /**
             * Measured At
             * Format: date-time
             */
            measured_at: string;
            /** Measured Seconds */
            measured_seconds: number | null;
            /** No */
            no: number;
            /** Notes */
            notes: string[];
            /** Parameter Name */
            parameter_name: string;
            /** Parameters */
            parameters: {
                [key: string]: string;
            };
            /** Planned Seconds */
            planned_seconds: number | null;
            /** Proof Ids */
            proof_ids: number[];
            results: components["schemas"]["RunResults"];
            /**
             * Role
             * @enum {string}
             */
            role: "" | "sender" | "receiver";
            /** Started Text */
            started_text: string;
            /**
             * Tool
             * @enum {string}
             */
            tool: "vdbench" | "diskspd" | "ntttcp" | "iometer";
            /**
             * Uploaded At
             * Format: date-time
             */
            uploaded_at: string;
            /** Uploaded By */
            uploaded_by: string;
            /** Version */
            version: string;
            /** Warm Up Seconds */
            warm_up_seconds: number | null;
        };
        /**
         * RunFigures
         * @description The figures of a finished run. A past state has only `after`, `words` and `rules`.
         */
        RunFigures: {
            after: components["schemas"]["ScoreFigures"];
            before: components["schemas"]["ScoreFigures"];
            /** Groups */
            groups: components["schemas"]["RunGroup"][];
            /** Hosts Absent */
            hosts_absent: number;
            /** Hosts Changed */
            hosts_changed: number;
            /** Hosts Judged */
            hosts_judged: number;
            /** In Grace */
            in_grace: number;
            /** Newly Capped */
            newly_capped: number;
            /** Newly Failing */
            newly_failing: number;
            /** Newly Failing Hosts */
            newly_failing_hosts: number;
            /** Newly Undecided */
            newly_undecided: number;
            /** No Longer Capped */
            no_longer_capped: number;
            /** No Longer Failing */
            no_longer_failing: number;
            /** No Longer Failing Hosts */
            no_longer_failing_hosts: number;
            /** Rule Coverage */
            rule_coverage: number | null;
            /** Rules */
            rules: components["schemas"]["RunRule"][];
            /** Words */
            words: {
                [key: string]: number;
            };
        };
        /**
         * RunGroup
         * @description What a preview changes for the hosts directly in one group.
         */
        RunGroup: {
            /** Hosts */
            hosts: number;
            /** Hosts Changed */
            hosts_changed: number;
            /** Id */
            id: number;
            /** Name */
            name: string;
            /** Newly Failing */
            newly_failing: number;
            /** No Longer Failing */
            no_longer_failing: number;
            /** Path */
            path: string;
            /** Score After */
            score_after: number | null;
            /** Score Before */
            score_before: number | null;
        };
        /**
         * RunHost
         * @description The result of a run for one host; `absent` is why it could not be evaluated.
         */
        RunHost: {
            /** Absent */
            absent: string;
            /** Capped After */
            capped_after: string;
            /** Capped Before */
            capped_before: string;
            /** Changes */
            changes: components["schemas"]["RunChange"][];
            /** Counts */
            counts: {
                [key: string]: number;
            };
            /** Group */
            group: string;
            host: components["schemas"]["NamedHost"];
            /** Newly Failing */
            newly_failing: number;
            /** No Longer Failing */
            no_longer_failing: number;
            /** Score After */
            score_after: number | null;
            /** Score Before */
            score_before: number | null;
        };
        /**
         * RunHostPage
         * @description Hosts of a run, those that lose most first.
         */
        RunHostPage: {
            /** Items */
            items: components["schemas"]["RunHost"][];
            /** Next */
            next: string | null;
            /** Total */
            total: number;
        };
        /**
         * RunLoad
         * @description What a run asked of the host. `paper_load` is the load of a paper that it matches; `words` says it in a line.
         */
        RunLoad: {
            /**
             * Access
             * @enum {string}
             */
            access: "random" | "sequential" | "mixed" | "unknown";
            /** Block Bytes */
            block_bytes: number | null;
            /** Is Order Known */
            is_order_known: boolean;
            /** Outstanding */
            outstanding: number | null;
            /** Paper Label */
            paper_label: string;
            /** Paper Load */
            paper_load: string;
            /**
             * Protocol
             * @enum {string}
             */
            protocol: "" | "tcp" | "udp";
            /** Read Percent */
            read_percent: number | null;
            /** Threads */
            threads: number | null;
            /** Words */
            words: string;
        };
        /**
         * RunPage
         * @description A page of runs, the newest first.
         */
        RunPage: {
            /** Items */
            items: components["schemas"]["RunRow"][];
            /** Next */
            next: string | null;
        };
        /**
         * RunResults
         * @description What a run measured; null is what its output does not say.
         */
        RunResults: {
            /** Bytes Per Second */
            bytes_per_second: number | null;
            /** Cpu Percent */
            cpu_percent: number | null;
            /** Errors */
            errors: number | null;
            /** Iops */
            iops: number | null;
            /** Latency Max Ms */
            latency_max_ms: number | null;
            /** Latency Ms */
            latency_ms: number | null;
            /** Latency P99 Ms */
            latency_p99_ms: number | null;
            /** Read Iops */
            read_iops: number | null;
            /** Read Latency Ms */
            read_latency_ms: number | null;
            /** Retransmit Percent */
            retransmit_percent: number | null;
            /** Retransmits */
            retransmits: number | null;
            /** Write Iops */
            write_iops: number | null;
            /** Write Latency Ms */
            write_latency_ms: number | null;
        };
        /**
         * RunRow
         * @description One run in a list. `measure` names the result that a proof judges.
         */
        RunRow: {
            /** File Id */
            file_id: number;
            /** File Name */
            file_name: string;
            host: components["schemas"]["NamedHost"];
            /** Id */
            id: number;
            /** Is Time Known */
            is_time_known: boolean;
            /** Label */
            label: string;
            /** Line */
            line: number;
            load: components["schemas"]["RunLoad"];
            /**
             * Measure
             * @enum {string}
             */
            measure: "iops" | "bytes_per_second";
            /**
             * Measured At
             * Format: date-time
             */
            measured_at: string;
            /** Measured Seconds */
            measured_seconds: number | null;
            /** No */
            no: number;
            /** Notes */
            notes: string[];
            /** Planned Seconds */
            planned_seconds: number | null;
            results: components["schemas"]["RunResults"];
            /**
             * Role
             * @enum {string}
             */
            role: "" | "sender" | "receiver";
            /**
             * Tool
             * @enum {string}
             */
            tool: "vdbench" | "diskspd" | "ntttcp" | "iometer";
            /** Version */
            version: string;
        };
        /**
         * RunRule
         * @description The findings and hosts of one rule, by the status that they would get (preview) or had (past state).
         */
        RunRule: {
            /** Hosts */
            hosts: {
                [key: string]: number;
            };
            /** Newly Failing */
            newly_failing: number;
            /** Newly Failing Hosts */
            newly_failing_hosts: number;
            /** No Longer Failing */
            no_longer_failing: number;
            /** No Longer Failing Hosts */
            no_longer_failing_hosts: number;
            /** Pack */
            pack: string;
            /** Rule */
            rule: string;
            /** Title */
            title: string;
            /** Words */
            words: {
                [key: string]: number;
            };
        };
        /**
         * RunUnderStanding
         * @description Runs a plan under a standing approval.
         */
        RunUnderStanding: {
            /** Standing Id */
            standing_id: number;
        };
        /**
         * ScheduleInput
         * @description A schedule as a whole. `on_day` is the day of the week (1 for Monday) or of the month; without a channel nothing is mailed.
         */
        ScheduleInput: {
            /**
             * Every
             * @enum {string}
             */
            every: "week" | "month" | "quarter";
            /** Group Id */
            group_id: number;
            /**
             * Hour
             * @default 7
             */
            hour?: number;
            /**
             * Is Enabled
             * @default true
             */
            is_enabled?: boolean;
            mail?: components["schemas"]["MailCreate"] | null;
            /** Name */
            name: string;
            /**
             * On Day
             * @default 1
             */
            on_day?: number;
            /**
             * Template
             * @default executive
             * @enum {string}
             */
            template?: "executive" | "technical" | "audit" | "exceptions" | "remediation";
            /**
             * Time Zone
             * @default UTC
             */
            time_zone?: string;
            /** View Id */
            view_id?: number | null;
        };
        /**
         * ScheduleOut
         * @description A schedule, when it is due next, and its newest report.
         */
        ScheduleOut: {
            /** Channel Id */
            channel_id: number | null;
            /** Channel Name */
            channel_name: string;
            /**
             * Every
             * @enum {string}
             */
            every: "week" | "month" | "quarter";
            /**
             * Form
             * @enum {string}
             */
            form: "attachment" | "link";
            /** Formats */
            formats: string[];
            /** Group Id */
            group_id: number;
            /** Group Name */
            group_name: string;
            /** Hour */
            hour: number;
            /** Id */
            id: number;
            /** Is Enabled */
            is_enabled: boolean;
            /** Last Report Id */
            last_report_id: number | null;
            /** May Change */
            may_change: boolean;
            /** Name */
            name: string;
            /**
             * Next Due At
             * Format: date-time
             */
            next_due_at: string;
            /** Off Words */
            off_words: string;
            /** On Day */
            on_day: number;
            /** Owner */
            owner: string;
            /** Recipients */
            recipients: string[];
            /** Template */
            template: string;
            /** Time Zone */
            time_zone: string;
            /** View Name */
            view_name: string;
        };
        /**
         * ScoreBand
         * @description Hosts with a score between `from` and `to`, both included.
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
         * ScoreFigures
         * @description Scores over the hosts of a run. `bands` are hosts by ten points, the last includes 100.
         */
        ScoreFigures: {
            /** Bands */
            bands: number[];
            /** Capped */
            capped: number;
            /** Hosts */
            hosts: number;
            /** Mean */
            mean: number | null;
            /** Median */
            median: number | null;
        };
        /**
         * ScoreRule
         * @description The part of one rule in the score: `points_possible` and `points_lost` of 100, weighted by evidence; `counted_*` the same if all
         *     rules had equal weight. weight = `band_points` x `strength_factor` x `fit`; 1 for a rule without evidence.
         */
        ScoreRule: {
            /** Also Asked By */
            also_asked_by: string[];
            /** Band */
            band: string;
            /** Band Points */
            band_points: number;
            /** Counted Lost */
            counted_lost: number;
            /** Counted Possible */
            counted_possible: number;
            /** Excluded */
            excluded: number;
            /** Failing */
            failing: number;
            /** Fit */
            fit: number;
            /** Has Capped */
            has_capped: boolean;
            /** Headline */
            headline: string;
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
            /** Source */
            source: string;
            /** Strength */
            strength: string;
            /** Strength Factor */
            strength_factor: number;
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
         * SecondFactors
         * @description The person's second factors.
         */
        SecondFactors: {
            /** Are Recovery Codes Short */
            are_recovery_codes_short: boolean;
            /** Factors */
            factors: components["schemas"]["FactorRow"][];
            /** Passkey Host */
            passkey_host: string;
            /** Passkeys Problem */
            passkeys_problem: string;
            /** Recovery Codes Left */
            recovery_codes_left: number;
        };
        /**
         * SecondStepIn
         * @description The second step of a sign-in.
         */
        SecondStepIn: {
            /** Code */
            code?: string | null;
            passkey?: components["schemas"]["PasskeyAnswer"] | null;
            /** Step */
            step: string;
        };
        /**
         * SecondStepOut
         * @description The password was right, and the sign-in needs a second step: `POST /session/second-step` with `step` and one of `methods`.
         */
        SecondStepOut: {
            /**
             * Expires At
             * Format: date-time
             */
            expires_at: string;
            /** Methods */
            methods: ("authenticator" | "passkey" | "recovery_code")[];
            /** Passkey */
            passkey: {
                [key: string]: unknown;
            } | null;
            /** Step */
            step: string;
        };
        /**
         * SecretRotate
         * @description Requests a new signing secret. `keeps_old`: the old one signs too for 24 hours, so that the receiver can change over.
         */
        SecretRotate: {
            /**
             * Keeps Old
             * @default true
             */
            keeps_old?: boolean;
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
         * @description A series that can be requested.
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
         * @description What the interface may offer; each act is checked again for its object.
         */
        SessionCan: {
            /** Activate Packs */
            activate_packs: boolean;
            /** Add Hosts */
            add_hosts: boolean;
            /** Approve Hosts */
            approve_hosts: boolean;
            /** Attest */
            attest: boolean;
            /** Check Now */
            check_now: boolean;
            /** Decide Conflicts */
            decide_conflicts: boolean;
            /** Decide Waivers */
            decide_waivers: boolean;
            /** Draft Plans */
            draft_plans: boolean;
            /** Enrol */
            enrol: boolean;
            /** Export */
            export: boolean;
            /** Export Evidence */
            export_evidence: boolean;
            /** Hold Hosts */
            hold_hosts: boolean;
            /** Import Benchmarks */
            import_benchmarks: boolean;
            /** Make Proofs */
            make_proofs: boolean;
            /** Make Reports */
            make_reports: boolean;
            /** Manage Budgets */
            manage_budgets: boolean;
            /** Manage Collection */
            manage_collection: boolean;
            /** Manage Groups */
            manage_groups: boolean;
            /** Manage Hosts */
            manage_hosts: boolean;
            /** Manage Notices */
            manage_notices: boolean;
            /** Manage People */
            manage_people: boolean;
            /** Manage Sign In */
            manage_sign_in: boolean;
            /** Manage Windows */
            manage_windows: boolean;
            /** Preview Packs */
            preview_packs: boolean;
            /** Propose Decisions */
            propose_decisions: boolean;
            /** Publish Packs */
            publish_packs: boolean;
            /** Release Restore */
            release_restore: boolean;
            /** Release Stop */
            release_stop: boolean;
            /** Remove Lab */
            remove_lab: boolean;
            /** Request Waivers */
            request_waivers: boolean;
            /** See Audit */
            see_audit: boolean;
            /** See System Health */
            see_system_health: boolean;
            /** Send Tickets */
            send_tickets: boolean;
            /** Sign Standing */
            sign_standing: boolean;
            /** Stop Everything */
            stop_everything: boolean;
            /** Undo Jobs */
            undo_jobs: boolean;
        };
        /**
         * SessionOut
         * @description The session of this browser.
         */
        SessionOut: {
            /**
             * Authenticated At
             * Format: date-time
             */
            authenticated_at: string;
            can: components["schemas"]["SessionCan"];
            /** Confirmed At */
            confirmed_at: string | null;
            /** Is Demo */
            is_demo: boolean;
            /** Must Add Second Factor */
            must_add_second_factor: boolean;
            /** Must Set Password */
            must_set_password: boolean;
            person: components["schemas"]["SessionPerson"];
            /** Provider */
            provider: string | null;
            /** Roles */
            roles: components["schemas"]["SessionRole"][];
            /** Second Factors */
            second_factors: ("authenticator" | "passkey")[];
            /** Site Name */
            site_name: string;
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
         * SessionUpdate
         * @description What a person sets about their own session: the time zone, as an IANA name.
         */
        SessionUpdate: {
            /** Time Zone */
            time_zone: string;
        };
        /**
         * SettingChoice
         * @description One setting that is to get a value: that of its baseline, of another date, of its peers or of another host.
         *
         *     `key` with its kind (`adapter.mtu`); `reference` says in words whose value it is.
         */
        SettingChoice: {
            /** Host Id */
            host_id: string;
            /** Key */
            key: string;
            /**
             * Reference
             * @default
             */
            reference?: string;
            /**
             * Subject Id
             * @default
             */
            subject_id?: string;
            /** To */
            to: boolean | number | string | (boolean | number | string)[];
        };
        /**
         * SettingDifference
         * @description One setting as text, as accepted and as it is now. For an item as a whole, `what` is whether it was added or removed.
         */
        SettingDifference: {
            /** Accepted */
            accepted: string;
            /** Key */
            key: string;
            /** Label */
            label: string;
            /** Now */
            now: string;
            subject: components["schemas"]["SubjectOut"];
            /**
             * What
             * @enum {string}
             */
            what: "changed" | "came" | "went";
        };
        /**
         * SettingSourceOut
         * @description Where a value was read: section, command, field, the raw text, and the digest of the body that carried it.
         *
         *     `member`: the file of the support bundle, for a host that is known from one; else empty.
         *
         *     `is_proven`: false if this setting was never read from a real host's output of the command, only from what documentation says.
         */
        SettingSourceOut: {
            /** Command */
            command: string;
            /** Field */
            field: string;
            /** Is Proven */
            is_proven: boolean;
            /** Member */
            member: string;
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
         * @description Whether the first admin still has to be created.
         */
        SetupState: {
            /** Has Cookie */
            has_cookie: boolean;
            /** Is Demo */
            is_demo: boolean;
            /** Needs Setup */
            needs_setup: boolean;
            /** Provider */
            provider: string | null;
        };
        /**
         * ShareOut
         * @description The share of its throughput alone that storage reaches beside other traffic, and the share that its traffic class is configured for.
         *
         *     `conformance`: `below` is the alarm; `unmanaged` where no class is configured. `classes` are the classes that were configured then.
         */
        ShareOut: {
            /** Achieved Percent */
            achieved_percent: number | null;
            alone: components["schemas"]["RunRow"];
            /** Classes */
            classes: string[];
            /** Configured Percent */
            configured_percent: number | null;
            /**
             * Conformance
             * @enum {string}
             */
            conformance: "within" | "below" | "above" | "unmanaged" | "unknown";
            contended: components["schemas"]["RunRow"];
            /** Difference Points */
            difference_points: number | null;
            /** Tolerance Points */
            tolerance_points: number;
        };
        /**
         * SideBySidePair
         * @description A recommendation that two packs have, with its places in their papers.
         */
        SideBySidePair: {
            /** Differences */
            differences: components["schemas"]["SideBySideText"][];
            /** First Places */
            first_places: string;
            /** First Rule */
            first_rule: string;
            /** Second Places */
            second_places: string;
            /** Second Rule */
            second_rule: string;
            /** Title */
            title: string;
        };
        /**
         * SideBySideRule
         * @description A rule that only one of two packs has.
         */
        SideBySideRule: {
            /** Asks */
            asks: string;
            /** Evidence */
            evidence: string[];
            /** Kind */
            kind: string;
            /** Rule */
            rule: string;
            /** Title */
            title: string;
        };
        /**
         * SideBySideText
         * @description One difference between two linked rules.
         */
        SideBySideText: {
            /** First */
            first: string;
            /** Name */
            name: string;
            /** Second */
            second: string;
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
         * SignInPolicy
         * @description Rules for signing in to the whole installation.
         */
        SignInPolicy: {
            /** Is Second Factor Required */
            is_second_factor_required: boolean;
        };
        /**
         * SignInPolicySet
         * @description Changes the rules for signing in.
         */
        SignInPolicySet: {
            /** Is Second Factor Required */
            is_second_factor_required: boolean;
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
         * Snooze
         * @description Until when a problem is snoozed, at most for a week, and why.
         */
        Snooze: {
            /** Reason */
            reason: string;
            /**
             * Until
             * Format: date-time
             */
            until: string;
        };
        /**
         * SpreadOut
         * @description Several runs of one load: number, mean, sample standard deviation, and that as a percentage of the mean.
         */
        SpreadOut: {
            /** Count */
            count: number;
            /** Deviation */
            deviation: number | null;
            /** Mean */
            mean: number;
            /** Relative Deviation Percent */
            relative_deviation_percent: number | null;
        };
        /**
         * StandingApprovalOut
         * @description One standing approval.
         */
        StandingApprovalOut: {
            /**
             * Expires At
             * Format: date-time
             */
            expires_at: string;
            /** Group Ids */
            group_ids: number[];
            /** Group Names */
            group_names: string[];
            /** Id */
            id: number;
            /** Is In Force */
            is_in_force: boolean;
            /** Items */
            items: {
                [key: string]: unknown;
            }[];
            /** Largest Impact */
            largest_impact: string;
            /** Name */
            name: string;
            /**
             * Signed At
             * Format: date-time
             */
            signed_at: string;
            /** Signer */
            signer: string;
            /** Signer Id */
            signer_id: number;
            /** Times Used */
            times_used: number;
            /** Withdrawn At */
            withdrawn_at: string | null;
            /** Withdrawn By */
            withdrawn_by: string;
            /** Withdrawn Reason */
            withdrawn_reason: string;
        };
        /**
         * StandingCreate
         * @description A new standing approval; the person who signs it never runs under it.
         */
        StandingCreate: {
            /**
             * Expires At
             * Format: date-time
             */
            expires_at: string;
            /** Group Ids */
            group_ids: number[];
            /** Items */
            items: components["schemas"]["StandingItem"][];
            /**
             * Largest Impact
             * @enum {string}
             */
            largest_impact: "none" | "new_sessions" | "adapter_restart" | "path_loss" | "maintenance" | "reboot";
            /** Name */
            name: string;
            /**
             * Password
             * @default
             */
            password?: string;
        };
        /**
         * StandingItem
         * @description What may be run: the fixes of a rule, or one setting at one value.
         */
        StandingItem: {
            /** Rule */
            rule?: string | null;
            /** Setting */
            setting?: string | null;
            /** Value */
            value?: string | null;
        };
        /**
         * StandingUse
         * @description The standing approval under which a fix may run at once.
         */
        StandingUse: {
            /**
             * Expires At
             * Format: date-time
             */
            expires_at: string;
            /** Id */
            id: number;
            /** Name */
            name: string;
            /** Signer */
            signer: string;
        };
        /**
         * Statistics
         * @description Figures of a series over the whole range, from all readings, not from the points drawn.
         */
        Statistics: {
            /** Latest */
            latest: number | null;
            /** Maximum */
            maximum: number | null;
            /** Mean */
            mean: number | null;
            /** Minimum */
            minimum: number | null;
            /** Readings */
            readings: number;
        };
        /**
         * Step
         * @description A vector of elements and at most one restart; the least that is carried out, confirmed and undone.
         *
         *     `adapters` are the adapters whose paths it takes while it runs (empty: none), `fabric` their fabric. `restart` is the address of what
         *     restarts once (`adapter/<id>`, `vnic/<id>`) or empty. `deadman_s` is the time after which the host undoes it by itself unless it is
         *     confirmed, 0 where it cannot cut its own path. `health_floor` is the number of healthy paths that every SAN volume must have before it
         *     begins, 0 where it takes none. `pings` are sent with an L3 size of `probe_bytes` and must all be answered before it is
         *     confirmed; none, and 0, where no frame grows. `pending` says what its effect still waits for afterwards.
         */
        Step: {
            /** Adapters */
            adapters: string[];
            /** Commands */
            commands: components["schemas"]["Command"][];
            /** Deadman S */
            deadman_s: number;
            /** Elements */
            elements: components["schemas"]["Element"][];
            /** Fabric */
            fabric: string;
            /** Findings */
            findings: components["schemas"]["FindingRef"][];
            forecast: components["schemas"]["Forecast"];
            /** Gates */
            gates: components["schemas"]["Gate"][];
            /** Health Floor */
            health_floor: number;
            /**
             * Impact
             * @enum {string}
             */
            impact: "none" | "new_sessions" | "adapter_restart" | "path_loss" | "maintenance" | "reboot" | "unknown";
            /** Number */
            number: number;
            /**
             * Pings
             * @default []
             */
            pings?: components["schemas"]["Ping"][];
            /** Probe Bytes */
            probe_bytes: number;
            /** Restart */
            restart: string;
            /**
             * Takes Effect
             * @enum {string}
             */
            takes_effect: "now" | "new_session" | "adapter_restart" | "reboot";
            /** Title */
            title: string;
            /** Undo Commands */
            undo_commands: components["schemas"]["Command"][];
        };
        /**
         * StopSwitchOut
         * @description The emergency stop. After a restore only an admin turns it off.
         */
        StopSwitchOut: {
            /** Cause */
            cause: string;
            /**
             * Changed At
             * Format: date-time
             */
            changed_at: string;
            /** Changed By */
            changed_by: string;
            /** Is Stopped */
            is_stopped: boolean;
            /** Reason */
            reason: string;
        };
        /**
         * StricterPack
         * @description A pack version that requires more than the one before: these rules fail since it was activated, and no host changed.
         */
        StricterPack: {
            /**
             * Activated At
             * Format: date-time
             */
            activated_at: string;
            /** Hosts */
            hosts: number;
            /** Pack */
            pack: string;
            /** Rules */
            rules: components["schemas"]["RuleName"][];
            /** Version */
            version: string;
        };
        /**
         * SubjectMerge
         * @description A thing that was replaced by another of its kind.
         */
        SubjectMerge: {
            /**
             * Kind
             * @enum {string}
             */
            kind: "adapter" | "vnic" | "initiator" | "volume";
            /** New Id */
            new_id: string;
            /** Old Id */
            old_id: string;
            /** Reason */
            reason: string;
        };
        /**
         * SubjectOut
         * @description The part of a host that a finding, setting or change is about. `label` is its name on the host.
         */
        SubjectOut: {
            /** Id */
            id: string;
            /** Kind */
            kind: string;
            /** Label */
            label: string;
        };
        /**
         * SwitchDetail
         * @description A switch with its ports, failing ones first, then in the order of their names.
         */
        SwitchDetail: {
            /** Address */
            address: string;
            /** Failing */
            failing: number;
            /** Hosts */
            hosts: number;
            /** Id */
            id: string;
            /** Issues */
            issues: {
                [key: string]: number;
            };
            /** Name */
            name: string;
            /** Only Here */
            only_here: number;
            /** Platform */
            platform: string;
            /** Port Rows */
            port_rows: components["schemas"]["SwitchPortRow"][];
            /** Ports */
            ports: number;
            /** Protocol */
            protocol: string;
        };
        /**
         * SwitchEvidence
         * @description What `hosts` hosts with storage adapters hear of their switches, as text; empty where none hears one.
         */
        SwitchEvidence: {
            /**
             * As Of
             * Format: date-time
             */
            as_of: string;
            /** Hosts */
            hosts: number;
            /** Text */
            text: string;
        };
        /**
         * SwitchList
         * @description All switches, those with the most failing ports first, and the storage adapters that heard none.
         *
         *     `unheard_hosts` are the first 100.
         */
        SwitchList: {
            /** Items */
            items: components["schemas"]["SwitchRow"][];
            /** Unheard Esxi */
            unheard_esxi: number;
            /** Unheard Hosts */
            unheard_hosts: components["schemas"]["UnheardHost"][];
            /** Unheard Windows */
            unheard_windows: number;
        };
        /**
         * SwitchPortRow
         * @description A port of a switch with the adapter behind it. `problem` in words; empty if nothing is wrong.
         */
        SwitchPortRow: {
            /** Adapter */
            adapter: string;
            /** Adapter Name */
            adapter_name: string;
            /** Cluster */
            cluster: string;
            /** Group */
            group: string;
            /** Host */
            host: string;
            /** Host Id */
            host_id: string;
            /** Issues */
            issues: ("link_down" | "not_heard" | "paths_down" | "frames" | "mtu")[];
            /** Lost At */
            lost_at: string | null;
            /** Mtu */
            mtu: number | null;
            /** Native Vlan */
            native_vlan: number | null;
            /** Paths Healthy */
            paths_healthy: number;
            /** Paths Total */
            paths_total: number;
            /** Port */
            port: string;
            /** Problem */
            problem: string;
            /** Role */
            role: string;
            /** Switch Mtu */
            switch_mtu: number | null;
        };
        /**
         * SwitchRow
         * @description A switch, or a stack, which announces itself as one, with the hosts behind it. `issues` counts its ports with each issue.
         */
        SwitchRow: {
            /** Address */
            address: string;
            /** Failing */
            failing: number;
            /** Hosts */
            hosts: number;
            /** Id */
            id: string;
            /** Issues */
            issues: {
                [key: string]: number;
            };
            /** Name */
            name: string;
            /** Only Here */
            only_here: number;
            /** Platform */
            platform: string;
            /** Ports */
            ports: number;
            /** Protocol */
            protocol: string;
        };
        /**
         * SwitchSet
         * @description Turns the emergency stop on or off.
         */
        SwitchSet: {
            /** Is Stopped */
            is_stopped: boolean;
            /** Reason */
            reason: string;
        };
        /**
         * SystemHealthOut
         * @description Every part, the worst first.
         */
        SystemHealthOut: {
            /** Agents */
            agents: components["schemas"]["AgentVersions"][];
            /**
             * At
             * Format: date-time
             */
            at: string;
            /**
             * Level
             * @enum {string}
             */
            level: "ok" | "warning" | "failed" | "unknown";
            /** Parts */
            parts: components["schemas"]["HealthPart"][];
            /** Version */
            version: string;
        };
        /**
         * TicketAbout
         * @description What a ticket is about: changes of settings by their ids, an open problem by its key, or what fails on some hosts.
         */
        TicketAbout: {
            /** Change Ids */
            change_ids?: number[];
            /** Host Ids */
            host_ids?: string[];
            /**
             * Problem
             * @default
             */
            problem?: string;
        };
        /**
         * TicketCreate
         * @description A ticket to send. `description` is sent line by line, with the link to Plumbline below it.
         */
        TicketCreate: {
            /** Change Ids */
            change_ids?: number[];
            /** Description */
            description: string;
            /** Host Ids */
            host_ids?: string[];
            /**
             * Problem
             * @default
             */
            problem?: string;
            /** System Id */
            system_id: number;
            /** Title */
            title: string;
        };
        /**
         * TicketFormIn
         * @description What a ticket system is sent, where its answer has the ticket's number, and the page of a ticket (docs/notices.md#ticket-systems).
         */
        "TicketFormIn-Input": {
            /** Body */
            body: string;
            /**
             * Link
             * @default
             */
            link?: string;
            /**
             * Number
             * @default
             */
            number?: string;
        };
        /**
         * TicketFormIn
         * @description What a ticket system is sent, where its answer has the ticket's number, and the page of a ticket (docs/notices.md#ticket-systems).
         */
        "TicketFormIn-Output": {
            /** Body */
            body: string;
            /**
             * Link
             * @default
             */
            link?: string;
            /**
             * Number
             * @default
             */
            number?: string;
        };
        /**
         * TicketLogin
         * @description How a ticket system is signed in to: an account with its password or token, or a bearer token alone.
         */
        TicketLogin: {
            /**
             * Account
             * @default
             */
            account?: string;
            /**
             * Password
             * @default
             */
            password?: string;
        };
        /**
         * TicketOut
         * @description A ticket as far as it is known: `number` and `url` once the ticket system answered with them; `words` is what it answered.
         *
         *     Without its text, which may name hosts of groups that the reader may not see.
         */
        TicketOut: {
            /**
             * At
             * Format: date-time
             */
            at: string;
            /** By */
            by: string;
            /** Id */
            id: number;
            /** Number */
            number: string;
            /**
             * State
             * @enum {string}
             */
            state: "waiting" | "sent" | "given_up";
            /** System */
            system: string;
            /** Url */
            url: string;
            /** Words */
            words: string;
        };
        /**
         * TicketPreview
         * @description The text that a ticket would begin with. No systems: an admin has to add one for the group of these hosts.
         */
        TicketPreview: {
            /** Description */
            description: string;
            /** Hosts */
            hosts: components["schemas"]["NamedHost"][];
            /** Systems */
            systems: components["schemas"]["TicketSystem"][];
            /** Title */
            title: string;
        };
        /**
         * TicketSystem
         * @description A ticket system that a ticket about these hosts can be sent to.
         */
        TicketSystem: {
            /** Id */
            id: number;
            /** Name */
            name: string;
            /** Shown */
            shown: string;
        };
        /**
         * TimelineAlarm
         * @description A time in which a guardrail or the rule of two healthy paths failed ("rule"; only these have `pack` and `rule`), paths of
         *     volumes were down ("paths"), or the host was not reporting ("check_ins"). `words`: what held then.
         *
         *     `began` None: at some time before what was asked for. `ended` None: it has not ended.
         */
        TimelineAlarm: {
            /** Began */
            began: string | null;
            /** Ended */
            ended: string | null;
            /**
             * Kind
             * @enum {string}
             */
            kind: "rule" | "paths" | "check_ins";
            /** Pack */
            pack: string;
            /** Rule */
            rule: string;
            /** Title */
            title: string;
            /** Words */
            words: string;
        };
        /**
         * TimelineFinding
         * @description A rule that began to fail on a host (what is wrong, in words), or that no longer fails (its title).
         */
        TimelineFinding: {
            /**
             * At
             * Format: date-time
             */
            at: string;
            /** Begins */
            begins: boolean;
            /** Pack */
            pack: string;
            /** Rule */
            rule: string;
            /** Words */
            words: string;
        };
        /**
         * TokenCreate
         * @description A token for the caller, or, with `service`, for a program that acts under its own name. Every token expires.
         */
        TokenCreate: {
            /** Expires Days */
            expires_days: number;
            /** Group Id */
            group_id: number;
            /** Name */
            name: string;
            /** Roles */
            roles: ("viewer" | "operator" | "admin")[];
            /**
             * Service
             * @default
             */
            service?: string;
        };
        /**
         * TokenMade
         * @description The token, shown this once.
         */
        TokenMade: {
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
         * TokenRow
         * @description One token as lists show it. `disabled`: its person's account is disabled.
         */
        TokenRow: {
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
            /** Id */
            id: number;
            /** Is Own */
            is_own: boolean;
            /** Last Used At */
            last_used_at: string | null;
            /** Last Used From */
            last_used_from: string;
            /** Name */
            name: string;
            /** Person Id */
            person_id: number;
            /** Person Name */
            person_name: string;
            /** Revoked At */
            revoked_at: string | null;
            /** Roles */
            roles: ("viewer" | "operator" | "admin")[];
            /** Service */
            service: string;
            /**
             * State
             * @enum {string}
             */
            state: "living" | "expired" | "revoked" | "disabled";
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
         * @description One check of a credential that a person requested.
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
         * UnexplainedAlarm
         * @description A symptom that was open and that nothing on record explains.
         */
        UnexplainedAlarm: {
            /**
             * Began
             * Format: date-time
             */
            began: string;
            /** Ended */
            ended: string | null;
            host: components["schemas"]["NamedHost"];
            /** Label */
            label: string;
        };
        /**
         * UnheardHost
         * @description An ESXi host with the names of its storage adapters that heard no switch.
         */
        UnheardHost: {
            /** Adapters */
            adapters: string[];
            /** Id */
            id: string;
            /** Name */
            name: string;
        };
        /**
         * UnreadSetting
         * @description A setting that was accepted and cannot be compared, with the reason.
         */
        UnreadSetting: {
            /** Key */
            key: string;
            /** Label */
            label: string;
            /** Reason */
            reason: string;
            subject: components["schemas"]["SubjectOut"];
        };
        /**
         * UploadFile
         * @description A YAML file by its path in the pack.
         */
        UploadFile: {
            /** Path */
            path: string;
            /** Text */
            text: string;
        };
        /**
         * UploadFiles
         * @description The files of one pack.
         */
        UploadFiles: {
            /** Files */
            files: components["schemas"]["UploadFile"][];
        };
        /**
         * UploadResult
         * @description Either a draft, or what is wrong with what was uploaded (the first 200 of `mistake_count`).
         */
        UploadResult: {
            draft: components["schemas"]["DraftOut"] | null;
            /** Mistake Count */
            mistake_count: number;
            /** Mistakes */
            mistakes: components["schemas"]["MistakeOut"][];
        };
        /**
         * VCenterCreate
         * @description A vCenter, the group whose hosts it knows (subgroups included), and an account with read-only rights there.
         */
        VCenterCreate: {
            /** Address */
            address: string;
            /** Credential Id */
            credential_id: number;
            /** Group Id */
            group_id: number;
            /** Name */
            name: string;
            /**
             * Port
             * @default 443
             */
            port?: number;
        };
        /**
         * VCenterFacts
         * @description What a vCenter reports about one host. Null: not reported; `unread` has the reason by the field's name.
         */
        VCenterFacts: {
            /** Addresses */
            addresses: string[];
            /** Certificate Sha256 */
            certificate_sha256: string | null;
            /** Cluster */
            cluster: string;
            /** Connection */
            connection: string;
            /** Exception Users */
            exception_users: string[] | null;
            /** Idle Timeout Seconds */
            idle_timeout_seconds: number | null;
            /** Is Fresh */
            is_fresh: boolean;
            /** Is In Maintenance */
            is_in_maintenance: boolean | null;
            /** Is Ssh Running */
            is_ssh_running: boolean | null;
            /** Lockdown */
            lockdown: ("disabled" | "normal" | "strict") | null;
            /** Moid */
            moid: string;
            /** Name */
            name: string;
            /**
             * Read At
             * Format: date-time
             */
            read_at: string;
            /** Reads */
            reads: components["schemas"]["EsxcliRead"][];
            /** Shell Timeout Seconds */
            shell_timeout_seconds: number | null;
            /** Unread */
            unread: {
                [key: string]: string;
            };
            /** Vcenter Id */
            vcenter_id: number;
            /** Vcenter Name */
            vcenter_name: string;
        };
        /**
         * VCenterHostRow
         * @description One host in a vCenter's list, and the host in Plumbline that it is linked with.
         */
        VCenterHostRow: {
            /** Cluster */
            cluster: string;
            /** Connection */
            connection: string;
            host: components["schemas"]["NamedHost"] | null;
            /** Is In Maintenance */
            is_in_maintenance: boolean | null;
            /** Is Linked By Hand */
            is_linked_by_hand: boolean;
            /** Is Ssh Running */
            is_ssh_running: boolean | null;
            /** Lockdown */
            lockdown: ("disabled" | "normal" | "strict") | null;
            /** Matched Words */
            matched_words: string;
            /** Moid */
            moid: string;
            /** Name */
            name: string;
            /**
             * Read At
             * Format: date-time
             */
            read_at: string;
        };
        /**
         * VCenterRow
         * @description A vCenter, with the outcome of the last reading.
         */
        VCenterRow: {
            /** Account */
            account: string;
            /** Address */
            address: string;
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
            /** Hosts */
            hosts: number;
            /** Id */
            id: number;
            /** Is Running */
            is_running: boolean;
            /** Last Error */
            last_error: string;
            /** Last Error Code */
            last_error_code: string;
            /** Last Ok At */
            last_ok_at: string | null;
            /** Last Tried At */
            last_tried_at: string | null;
            /** Linked */
            linked: number;
            /** Look Error */
            look_error: string;
            /** Name */
            name: string;
            /**
             * Next At
             * Format: date-time
             */
            next_at: string;
            /** Pin */
            pin: string;
            /** Port */
            port: number;
            /** Product */
            product: string;
            /** Shown At */
            shown_at: string | null;
            /** Shown Pin */
            shown_pin: string;
        };
        /**
         * VCenterUpdate
         * @description Changes where a vCenter is read, or with what.
         */
        VCenterUpdate: {
            /** Address */
            address?: string | null;
            /** Credential Id */
            credential_id?: number | null;
            /** Name */
            name?: string | null;
            /** Port */
            port?: number | null;
        };
        /**
         * VerifyingCheckIn
         * @description The check-in whose word settled a job: the first that was collected wholly after the job's last operation.
         */
        VerifyingCheckIn: {
            /** Digest */
            digest: string;
            /** Epoch */
            epoch: number;
            /**
             * Received At
             * Format: date-time
             */
            received_at: string;
            /** Seq */
            seq: number;
        };
        /**
         * View
         * @description A named URL.
         */
        View: {
            /** Id */
            id: number;
            /** Is Default */
            is_default: boolean;
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
         * ViewUpdate
         * @description Whether the view opens in place of its page.
         */
        ViewUpdate: {
            /** Is Default */
            is_default: boolean;
        };
        /**
         * VolumeForecast
         * @description Healthy paths of one volume before a step and at the worst moment of it.
         */
        VolumeForecast: {
            /** Before */
            before: number;
            /** During */
            during: number;
            /** Name */
            name: string;
            /** Volume */
            volume: string;
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
         * WaivedFinding
         * @description A failing finding that a waiver covers.
         */
        WaivedFinding: {
            /** Expected */
            expected: string;
            /** Failing Since */
            failing_since: string | null;
            host: components["schemas"]["NamedHost"];
            /** Observed */
            observed: string;
            rule: components["schemas"]["WaivedRule"];
            /**
             * Standing
             * @enum {string}
             */
            standing: "fail" | "unknown" | "excluded" | "waived" | "advice" | "pass" | "not_applicable";
            subject: components["schemas"]["SubjectOut"];
        };
        /**
         * WaivedFindings
         * @description The findings under a waiver; `total` may be more than what is listed.
         */
        WaivedFindings: {
            /** Items */
            items: components["schemas"]["WaivedFinding"][];
            /** Total */
            total: number;
        };
        /**
         * WaivedRule
         * @description A rule that a waiver or an attestation is about.
         */
        WaivedRule: {
            /** Pack */
            pack: string;
            /** Rule */
            rule: string;
            /** Title */
            title: string;
        };
        /**
         * WaiverCreate
         * @description A request for a waiver.
         */
        WaiverCreate: {
            /**
             * Evidence
             * @default
             */
            evidence?: string;
            /**
             * Evidence Link
             * @default
             */
            evidence_link?: string;
            /**
             * Expires At
             * Format: date-time
             */
            expires_at: string;
            /** Group Id */
            group_id?: number | null;
            /** Host Ids */
            host_ids?: string[];
            /** Owner Id */
            owner_id?: number | null;
            /** Pack */
            pack: string;
            /** Reason */
            reason: string;
            /** Replaces Id */
            replaces_id?: number | null;
            /** Rule */
            rule: string;
            /**
             * Subject Id
             * @default
             */
            subject_id?: string;
            /**
             * Subject Kind
             * @default
             */
            subject_kind?: string;
            /**
             * Ticket
             * @default
             */
            ticket?: string;
        };
        /**
         * WaiverDetail
         * @description A waiver in full. `also` are the rules that were linked to its rule when it was requested; they are waived with it. `asked_since` are
         *     and are not: nobody approved that.
         */
        WaiverDetail: {
            /** Also */
            also: components["schemas"]["WaivedRule"][];
            /** Approved At */
            approved_at: string | null;
            approved_by: components["schemas"]["PersonName"] | null;
            /** Asked Since */
            asked_since: components["schemas"]["WaivedRule"][];
            /** End Words */
            end_words: string;
            /** Ended At */
            ended_at: string | null;
            ended_by: components["schemas"]["PersonName"] | null;
            /** Evidence */
            evidence: string;
            /** Evidence Link */
            evidence_link: string;
            /**
             * Expires At
             * Format: date-time
             */
            expires_at: string;
            /** Files */
            files: components["schemas"]["EvidenceFileOut"][];
            /** Findings */
            findings: number;
            /** History */
            history: components["schemas"]["WaiverEvent"][];
            /** Hosts */
            hosts: components["schemas"]["WiredHost"][];
            /** Id */
            id: number;
            /** May Attach */
            may_attach: boolean;
            /** May Decide */
            may_decide: boolean;
            /** May Withdraw */
            may_withdraw: boolean;
            owner: components["schemas"]["PersonName"];
            /** Reason */
            reason: string;
            /** Replaced By */
            replaced_by: number | null;
            /** Replaces Id */
            replaces_id: number | null;
            /**
             * Requested At
             * Format: date-time
             */
            requested_at: string;
            requested_by: components["schemas"]["PersonName"];
            rule: components["schemas"]["WaivedRule"];
            scope: components["schemas"]["WaiverScopeOut"];
            /**
             * State
             * @enum {string}
             */
            state: "requested" | "active" | "refused" | "expired" | "tripped" | "withdrawn" | "replaced";
            /** Ticket */
            ticket: string;
            /** Why Not Decide */
            why_not_decide: string;
        };
        /**
         * WaiverEvent
         * @description One entry of the audit log about a waiver.
         */
        WaiverEvent: {
            /** Action */
            action: string;
            /** Actor */
            actor: string;
            /**
             * At
             * Format: date-time
             */
            at: string;
            /** Reason */
            reason: string;
        };
        /**
         * WaiverFacetValue
         * @description One value of a facet with the number of waivers that have it.
         */
        WaiverFacetValue: {
            /** Count */
            count: number;
            /** Label */
            label: string;
            /** Value */
            value: string;
        };
        /**
         * WaiverFacets
         * @description Facets of the list, each counted under the filters of the others.
         */
        WaiverFacets: {
            /** Age */
            age: components["schemas"]["WaiverFacetValue"][];
            /** Ends Within */
            ends_within: components["schemas"]["WaiverFacetValue"][];
            /** Owner */
            owner: components["schemas"]["WaiverFacetValue"][];
            /** State */
            state: components["schemas"]["WaiverFacetValue"][];
        };
        /**
         * WaiverNotices
         * @description Waivers and attestations that the reader has to act on.
         */
        WaiverNotices: {
            /** Attestations Ending */
            attestations_ending: number;
            /** Ended */
            ended: components["schemas"]["WaiverRow"][];
            /** Ending */
            ending: components["schemas"]["WaiverRow"][];
            /** Reminder Days */
            reminder_days: number;
            /** To Decide */
            to_decide: number;
        };
        /**
         * WaiverOut
         * @description The waiver of a finding. `is_over`: its end has passed, but the score has not changed yet.
         */
        WaiverOut: {
            /** Approved By */
            approved_by: string;
            /**
             * Expires At
             * Format: date-time
             */
            expires_at: string;
            /** Id */
            id: number;
            /** Is Over */
            is_over: boolean;
            /** Owner */
            owner: string;
            /** Reason */
            reason: string;
            /** Ticket */
            ticket: string;
        };
        /**
         * WaiverPage
         * @description A page of the list.
         */
        WaiverPage: {
            facets: components["schemas"]["WaiverFacets"];
            /** Items */
            items: components["schemas"]["WaiverRow"][];
            /** Next */
            next: string | null;
            /** Total */
            total: number;
        };
        /**
         * WaiverPreview
         * @description What a waiver would change. Counts are of the whole scope; scores of the hosts in `items`, at most `looked_at`.
         */
        WaiverPreview: {
            /** Already Waived */
            already_waived: number;
            /** Caps Lifted */
            caps_lifted: number;
            /** Findings */
            findings: number;
            /** Hosts */
            hosts: number;
            /** Is Ticket Required */
            is_ticket_required: boolean;
            /** Items */
            items: components["schemas"]["PreviewHost"][];
            /** Longest Days */
            longest_days: number;
            /** Looked At */
            looked_at: number;
            /** Passing Hosts */
            passing_hosts: number;
            /** Problem */
            problem: string;
            /** Rules */
            rules: components["schemas"]["WaivedRule"][];
            /** Score Mean */
            score_mean: number | null;
            /** Score Mean After */
            score_mean_after: number | null;
        };
        /**
         * WaiverReason
         * @description Why a request is refused, or a waiver withdrawn.
         */
        WaiverReason: {
            /** Reason */
            reason: string;
        };
        /**
         * WaiverRow
         * @description A waiver in a list. `state` is `expired` as soon as its time is over, even if its row is not updated yet.
         */
        WaiverRow: {
            /** Approved At */
            approved_at: string | null;
            approved_by: components["schemas"]["PersonName"] | null;
            /** End Words */
            end_words: string;
            /** Ended At */
            ended_at: string | null;
            /**
             * Expires At
             * Format: date-time
             */
            expires_at: string;
            /** Findings */
            findings: number;
            /** Id */
            id: number;
            /** May Decide */
            may_decide: boolean;
            /** May Withdraw */
            may_withdraw: boolean;
            owner: components["schemas"]["PersonName"];
            /** Reason */
            reason: string;
            /**
             * Requested At
             * Format: date-time
             */
            requested_at: string;
            requested_by: components["schemas"]["PersonName"];
            rule: components["schemas"]["WaivedRule"];
            scope: components["schemas"]["WaiverScopeOut"];
            /**
             * State
             * @enum {string}
             */
            state: "requested" | "active" | "refused" | "expired" | "tripped" | "withdrawn" | "replaced";
            /** Ticket */
            ticket: string;
        };
        /**
         * WaiverScopeInput
         * @description What is to be waived: a rule on hosts (one subject of a single host, or all), or on a group with every host that is or comes
         *     below it. Exactly one of `host_ids` and `group_id` is given.
         */
        WaiverScopeInput: {
            /** Group Id */
            group_id?: number | null;
            /** Host Ids */
            host_ids?: string[];
            /** Pack */
            pack: string;
            /** Replaces Id */
            replaces_id?: number | null;
            /** Rule */
            rule: string;
            /**
             * Subject Id
             * @default
             */
            subject_id?: string;
            /**
             * Subject Kind
             * @default
             */
            subject_kind?: string;
        };
        /**
         * WaiverScopeOut
         * @description The scope of a waiver. `label` is a one-line text; `hosts` are those listed or met that this person may see, at most 50.
         */
        WaiverScopeOut: {
            /** Group Id */
            group_id: number | null;
            /** Group Name */
            group_name: string;
            host: components["schemas"]["NamedHost"] | null;
            /** Hosts */
            hosts: number;
            /**
             * Kind
             * @enum {string}
             */
            kind: "subject" | "host" | "hosts" | "group";
            /** Label */
            label: string;
            subject: components["schemas"]["SubjectOut"] | null;
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
         * WatchCreate
         * @description How long a host is watched.
         */
        WatchCreate: {
            /**
             * Minutes
             * @default 5
             */
            minutes?: number;
        };
        /**
         * WatchOut
         * @description A watch. `until`: when it ends by itself, once started; `end_words`: why it ended early; `job_id`: the job that started it.
         */
        WatchOut: {
            /** End Words */
            end_words: string;
            /** Ended At */
            ended_at: string | null;
            host: components["schemas"]["NamedHost"];
            /** Id */
            id: number;
            /** Job Id */
            job_id: number | null;
            /** Last At */
            last_at: string | null;
            /** Readings */
            readings: number;
            /**
             * Requested At
             * Format: date-time
             */
            requested_at: string;
            /** Requested By */
            requested_by: string;
            /** Seconds */
            seconds: number;
            /** Started At */
            started_at: string | null;
            /**
             * State
             * @enum {string}
             */
            state: "waiting" | "running" | "ended";
            /** Until */
            until: string | null;
        };
        /**
         * Wave
         * @description Hosts whose jobs may run in the same span; the next wave begins after all of them ended well and `bake_s` went by.
         */
        Wave: {
            /** Bake S */
            bake_s: number;
            /** Hosts */
            hosts: string[];
            /**
             * Kind
             * @enum {string}
             */
            kind: "canary" | "wave";
            /** Number */
            number: number;
        };
        /**
         * WaySet
         * @description The address and credential for changes. The proof of the host's identity is copied from collection or from its agent's report.
         */
        WaySet: {
            /** Address */
            address?: string | null;
            /** Credential Id */
            credential_id: number;
            /** Port */
            port?: number | null;
        };
        /**
         * WayToHost
         * @description How Plumbline reaches a host to change it, without secrets.
         */
        WayToHost: {
            /** Address */
            address: string;
            /** Channel */
            channel: string;
            /** Credential Id */
            credential_id: number;
            /** Credential Name */
            credential_name: string;
            /** Host Id */
            host_id: string;
            /** Is Identity Known */
            is_identity_known: boolean;
            /** Is Runner Current */
            is_runner_current: boolean;
            /** Last Error */
            last_error: string;
            /** Last Ok At */
            last_ok_at: string | null;
            /** Port */
            port: number;
            /** Runner Folder */
            runner_folder: string;
            /** Runner Installed At */
            runner_installed_at: string | null;
            /** Runner Sha256 */
            runner_sha256: string;
            /** Runner Wanted */
            runner_wanted: string;
        };
        /**
         * WindowCreate
         * @description A maintenance window: weekly (`weekdays`, optionally `nth` of the month) or once (`on_date`), at a local time of its zone.
         */
        WindowCreate: {
            /** Group Id */
            group_id: number;
            /** Lasts Minutes */
            lasts_minutes: number;
            /** Name */
            name: string;
            /** Nth */
            nth?: (1 | 2 | 3 | 4 | 5 | -1)[];
            /**
             * On Date
             * @default
             */
            on_date?: string;
            /** Starts At Time */
            starts_at_time: string;
            /**
             * Time Zone
             * @default UTC
             */
            time_zone?: string;
            /** Weekdays */
            weekdays?: number[];
        };
        /**
         * WiredHost
         * @description A host under a waiver, and the change that ended the waiver there early.
         */
        WiredHost: {
            host: components["schemas"]["NamedHost"];
            /** Tripped At */
            tripped_at: string | null;
            /** Watched */
            watched: number;
            /** Words */
            words: string;
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
         * WorkerOut
         * @description When a worker last took a task.
         */
        WorkerOut: {
            /**
             * Heard At
             * Format: date-time
             */
            heard_at: string;
            /** Queue */
            queue: string;
            /** Worker */
            worker: string;
        };
        /**
         * WorseGroup
         * @description One happening that made one or more hosts worse. `headline` says what fails since, on its first host.
         *
         *     The setting that explains most of it is `key`, changed from `old` to `new`; `effect_count` other settings changed with it, and
         *     `peer_count` other hosts only differ from these now. `event_id` is its number on the drift page. `plan_id` and, where it was a single
         *     one, `job_id`: the work of ours that did it.
         *
         *     `rules` began to fail with it; linked rules are named once. `fix_rules` are those of them with a fix that a plan can carry out, and
         *     `host_ids` the hosts that such a plan would be for, at most as many as a plan may have.
         */
        WorseGroup: {
            /** Alike */
            alike: string;
            /** Cause */
            cause: string;
            /** Cause Detail */
            cause_detail: string;
            /** Effect Count */
            effect_count: number;
            /** Event Id */
            event_id: string;
            /**
             * First At
             * Format: date-time
             */
            first_at: string;
            /** Fix Rules */
            fix_rules: components["schemas"]["RuleName"][];
            /** Group Name */
            group_name: string;
            /** Headline */
            headline: string;
            /** Host Count */
            host_count: number;
            /** Host Ids */
            host_ids: string[];
            /** Hosts */
            hosts: components["schemas"]["NamedHost"][];
            /** Job Id */
            job_id: number | null;
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
            /** Peer Count */
            peer_count: number;
            /** Plan Id */
            plan_id: number | null;
            /** Rules */
            rules: components["schemas"]["RuleName"][];
        };
        /**
         * WorstRule
         * @description The failing rule that costs the host most. `headline` says what is wrong; a list counts its items, the page of a host names them.
         */
        WorstRule: {
            /** Headline */
            headline: string;
            /** Pack */
            pack: string;
            /** Rule */
            rule: string;
            /** Title */
            title: string;
        };
    };
    responses: {
        /** @description The request can't be read, or names no host */
        Problem400: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description Not signed in */
        Problem401: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description Not allowed */
        Problem403: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description Not found */
        Problem404: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description No route takes this method here, for instance because an id contains a slash */
        Problem405: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description The request did not arrive in time */
        Problem408: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description Conflict */
        Problem409: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description The request is too large */
        Problem413: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description The address is too long */
        Problem414: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description The host name is not one of this installation */
        Problem421: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description Invalid input */
        Problem422: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description Too many requests */
        Problem429: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description The head is too large */
        Problem431: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description Temporarily unavailable */
        Problem503: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
    };
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
                content: {
                    "text/plain": string;
                    "text/x-python": string;
                };
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            404: components["responses"]["Problem404"];
            405: components["responses"]["Problem405"];
            408: components["responses"]["Problem408"];
            409: components["responses"]["Problem409"];
            413: components["responses"]["Problem413"];
            414: components["responses"]["Problem414"];
            421: components["responses"]["Problem421"];
            422: components["responses"]["Problem422"];
            429: components["responses"]["Problem429"];
            431: components["responses"]["Problem431"];
            503: components["responses"]["Problem503"];
        };
    };
    list_assessments: {
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
                    "application/json": components["schemas"]["AssessmentRow"][];
                };
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            404: components["responses"]["Problem404"];
            405: components["responses"]["Problem405"];
            408: components["responses"]["Problem408"];
            409: components["responses"]["Problem409"];
            413: components["responses"]["Problem413"];
            414: components["responses"]["Problem414"];
            421: components["responses"]["Problem421"];
            422: components["responses"]["Problem422"];
            429: components["responses"]["Problem429"];
            431: components["responses"]["Problem431"];
            503: components["responses"]["Problem503"];
        };
    };
    begin_assessment: {
        parameters: {
            query?: never;
            header?: {
                /** @description a new key for each act (a random UUID); a repeat with it within 24 hours has no effect and gets the first answer again */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["AssessmentCreate"];
            };
        };
        responses: {
            /** @description Successful Response */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AssessmentRow"];
                };
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            404: components["responses"]["Problem404"];
            405: components["responses"]["Problem405"];
            408: components["responses"]["Problem408"];
            409: components["responses"]["Problem409"];
            413: components["responses"]["Problem413"];
            414: components["responses"]["Problem414"];
            421: components["responses"]["Problem421"];
            422: components["responses"]["Problem422"];
            429: components["responses"]["Problem429"];
            431: components["responses"]["Problem431"];
            503: components["responses"]["Problem503"];
        };
    };
    read_assessment: {
        parameters: {
            query?: {
                limit?: number;
                named?: string;
            };
            header?: never;
            path: {
                assessment_id: number;
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
                    "application/json": components["schemas"]["AssessmentDetail"];
                };
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            404: components["responses"]["Problem404"];
            405: components["responses"]["Problem405"];
            408: components["responses"]["Problem408"];
            409: components["responses"]["Problem409"];
            413: components["responses"]["Problem413"];
            414: components["responses"]["Problem414"];
            421: components["responses"]["Problem421"];
            422: components["responses"]["Problem422"];
            429: components["responses"]["Problem429"];
            431: components["responses"]["Problem431"];
            503: components["responses"]["Problem503"];
        };
    };
    delete_assessment: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                assessment_id: number;
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
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            404: components["responses"]["Problem404"];
            405: components["responses"]["Problem405"];
            408: components["responses"]["Problem408"];
            409: components["responses"]["Problem409"];
            413: components["responses"]["Problem413"];
            414: components["responses"]["Problem414"];
            421: components["responses"]["Problem421"];
            422: components["responses"]["Problem422"];
            429: components["responses"]["Problem429"];
            431: components["responses"]["Problem431"];
            503: components["responses"]["Problem503"];
        };
    };
    upload_part: {
        parameters: {
            query: {
                offset: number;
            };
            header?: never;
            path: {
                assessment_id: number;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/octet-stream": string;
            };
        };
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AssessmentRow"];
                };
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            404: components["responses"]["Problem404"];
            405: components["responses"]["Problem405"];
            408: components["responses"]["Problem408"];
            409: components["responses"]["Problem409"];
            413: components["responses"]["Problem413"];
            414: components["responses"]["Problem414"];
            421: components["responses"]["Problem421"];
            422: components["responses"]["Problem422"];
            429: components["responses"]["Problem429"];
            431: components["responses"]["Problem431"];
            503: components["responses"]["Problem503"];
        };
    };
    read_assessed_host: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                assessment_id: number;
                assessed_id: number;
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
                    "application/json": components["schemas"]["AssessedHost"];
                };
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            404: components["responses"]["Problem404"];
            405: components["responses"]["Problem405"];
            408: components["responses"]["Problem408"];
            409: components["responses"]["Problem409"];
            413: components["responses"]["Problem413"];
            414: components["responses"]["Problem414"];
            421: components["responses"]["Problem421"];
            422: components["responses"]["Problem422"];
            429: components["responses"]["Problem429"];
            431: components["responses"]["Problem431"];
            503: components["responses"]["Problem503"];
        };
    };
    preview_assessed_plan: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                assessment_id: number;
                assessed_id: number;
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
                    "application/json": components["schemas"]["PlanPreview"];
                };
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            404: components["responses"]["Problem404"];
            405: components["responses"]["Problem405"];
            408: components["responses"]["Problem408"];
            409: components["responses"]["Problem409"];
            413: components["responses"]["Problem413"];
            414: components["responses"]["Problem414"];
            421: components["responses"]["Problem421"];
            422: components["responses"]["Problem422"];
            429: components["responses"]["Problem429"];
            431: components["responses"]["Problem431"];
            503: components["responses"]["Problem503"];
        };
    };
    join_fleet: {
        parameters: {
            query?: never;
            header?: {
                /** @description a new key for each act (a random UUID); a repeat with it within 24 hours has no effect and gets the first answer again */
                "Idempotency-Key"?: string;
            };
            path: {
                assessment_id: number;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["JoinFleet"];
            };
        };
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["JoinedHost"][];
                };
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            404: components["responses"]["Problem404"];
            405: components["responses"]["Problem405"];
            408: components["responses"]["Problem408"];
            409: components["responses"]["Problem409"];
            413: components["responses"]["Problem413"];
            414: components["responses"]["Problem414"];
            421: components["responses"]["Problem421"];
            422: components["responses"]["Problem422"];
            429: components["responses"]["Problem429"];
            431: components["responses"]["Problem431"];
            503: components["responses"]["Problem503"];
        };
    };
    download_assessment_report: {
        parameters: {
            query?: {
                plan?: boolean;
            };
            header?: never;
            path: {
                assessment_id: number;
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
                    "application/pdf": string;
                };
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            404: components["responses"]["Problem404"];
            405: components["responses"]["Problem405"];
            408: components["responses"]["Problem408"];
            409: components["responses"]["Problem409"];
            413: components["responses"]["Problem413"];
            414: components["responses"]["Problem414"];
            421: components["responses"]["Problem421"];
            422: components["responses"]["Problem422"];
            429: components["responses"]["Problem429"];
            431: components["responses"]["Problem431"];
            503: components["responses"]["Problem503"];
        };
    };
    list_attestations: {
        parameters: {
            query?: {
                host?: string | null;
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
                    "application/json": components["schemas"]["Attestations"];
                };
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            404: components["responses"]["Problem404"];
            405: components["responses"]["Problem405"];
            408: components["responses"]["Problem408"];
            409: components["responses"]["Problem409"];
            413: components["responses"]["Problem413"];
            414: components["responses"]["Problem414"];
            421: components["responses"]["Problem421"];
            422: components["responses"]["Problem422"];
            429: components["responses"]["Problem429"];
            431: components["responses"]["Problem431"];
            503: components["responses"]["Problem503"];
        };
    };
    make_attestation: {
        parameters: {
            query?: never;
            header?: {
                /** @description a new key for each act (a random UUID); a repeat with it within 24 hours has no effect and gets the first answer again */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["AttestationCreate"];
            };
        };
        responses: {
            /** @description Successful Response */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AttestationRow"];
                };
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            404: components["responses"]["Problem404"];
            405: components["responses"]["Problem405"];
            408: components["responses"]["Problem408"];
            409: components["responses"]["Problem409"];
            413: components["responses"]["Problem413"];
            414: components["responses"]["Problem414"];
            421: components["responses"]["Problem421"];
            422: components["responses"]["Problem422"];
            429: components["responses"]["Problem429"];
            431: components["responses"]["Problem431"];
            503: components["responses"]["Problem503"];
        };
    };
    attach_to_attestation: {
        parameters: {
            query: {
                name: string;
            };
            header?: {
                /** @description a new key for each act (a random UUID); a repeat with it within 24 hours has no effect and gets the first answer again */
                "Idempotency-Key"?: string;
            };
            path: {
                attestation_id: number;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/octet-stream": string;
            };
        };
        responses: {
            /** @description Successful Response */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["EvidenceFileOut"];
                };
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            404: components["responses"]["Problem404"];
            405: components["responses"]["Problem405"];
            408: components["responses"]["Problem408"];
            409: components["responses"]["Problem409"];
            413: components["responses"]["Problem413"];
            414: components["responses"]["Problem414"];
            421: components["responses"]["Problem421"];
            422: components["responses"]["Problem422"];
            429: components["responses"]["Problem429"];
            431: components["responses"]["Problem431"];
            503: components["responses"]["Problem503"];
        };
    };
    download_attestation_file: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                attestation_id: number;
                file_id: number;
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
                    "application/octet-stream": string;
                };
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            404: components["responses"]["Problem404"];
            405: components["responses"]["Problem405"];
            408: components["responses"]["Problem408"];
            409: components["responses"]["Problem409"];
            413: components["responses"]["Problem413"];
            414: components["responses"]["Problem414"];
            421: components["responses"]["Problem421"];
            422: components["responses"]["Problem422"];
            429: components["responses"]["Problem429"];
            431: components["responses"]["Problem431"];
            503: components["responses"]["Problem503"];
        };
    };
    withdraw_attestation: {
        parameters: {
            query?: never;
            header?: {
                /** @description a new key for each act (a random UUID); a repeat with it within 24 hours has no effect and gets the first answer again */
                "Idempotency-Key"?: string;
            };
            path: {
                attestation_id: number;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["WaiverReason"];
            };
        };
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AttestationRow"];
                };
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            404: components["responses"]["Problem404"];
            405: components["responses"]["Problem405"];
            408: components["responses"]["Problem408"];
            409: components["responses"]["Problem409"];
            413: components["responses"]["Problem413"];
            414: components["responses"]["Problem414"];
            421: components["responses"]["Problem421"];
            422: components["responses"]["Problem422"];
            429: components["responses"]["Problem429"];
            431: components["responses"]["Problem431"];
            503: components["responses"]["Problem503"];
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
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            404: components["responses"]["Problem404"];
            405: components["responses"]["Problem405"];
            408: components["responses"]["Problem408"];
            409: components["responses"]["Problem409"];
            413: components["responses"]["Problem413"];
            414: components["responses"]["Problem414"];
            421: components["responses"]["Problem421"];
            422: components["responses"]["Problem422"];
            429: components["responses"]["Problem429"];
            431: components["responses"]["Problem431"];
            503: components["responses"]["Problem503"];
        };
    };
    list_baselines: {
        parameters: {
            query?: {
                state?: ("proposed" | "accepted" | "refused" | "withdrawn") | null;
                after?: number | null;
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
                    "application/json": components["schemas"]["BaselineList"];
                };
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            404: components["responses"]["Problem404"];
            405: components["responses"]["Problem405"];
            408: components["responses"]["Problem408"];
            409: components["responses"]["Problem409"];
            413: components["responses"]["Problem413"];
            414: components["responses"]["Problem414"];
            421: components["responses"]["Problem421"];
            422: components["responses"]["Problem422"];
            429: components["responses"]["Problem429"];
            431: components["responses"]["Problem431"];
            503: components["responses"]["Problem503"];
        };
    };
    propose_baseline: {
        parameters: {
            query?: never;
            header?: {
                /** @description a new key for each act (a random UUID); a repeat with it within 24 hours has no effect and gets the first answer again */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["BaselineProposal"];
            };
        };
        responses: {
            /** @description Successful Response */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BaselineDetail"];
                };
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            404: components["responses"]["Problem404"];
            405: components["responses"]["Problem405"];
            408: components["responses"]["Problem408"];
            409: components["responses"]["Problem409"];
            413: components["responses"]["Problem413"];
            414: components["responses"]["Problem414"];
            421: components["responses"]["Problem421"];
            422: components["responses"]["Problem422"];
            429: components["responses"]["Problem429"];
            431: components["responses"]["Problem431"];
            503: components["responses"]["Problem503"];
        };
    };
    read_baseline: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                baseline_id: number;
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
                    "application/json": components["schemas"]["BaselineDetail"];
                };
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            404: components["responses"]["Problem404"];
            405: components["responses"]["Problem405"];
            408: components["responses"]["Problem408"];
            409: components["responses"]["Problem409"];
            413: components["responses"]["Problem413"];
            414: components["responses"]["Problem414"];
            421: components["responses"]["Problem421"];
            422: components["responses"]["Problem422"];
            429: components["responses"]["Problem429"];
            431: components["responses"]["Problem431"];
            503: components["responses"]["Problem503"];
        };
    };
    accept_baseline: {
        parameters: {
            query?: never;
            header?: {
                /** @description a new key for each act (a random UUID); a repeat with it within 24 hours has no effect and gets the first answer again */
                "Idempotency-Key"?: string;
            };
            path: {
                baseline_id: number;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["BaselineDecision"];
            };
        };
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BaselineDetail"];
                };
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            404: components["responses"]["Problem404"];
            405: components["responses"]["Problem405"];
            408: components["responses"]["Problem408"];
            409: components["responses"]["Problem409"];
            413: components["responses"]["Problem413"];
            414: components["responses"]["Problem414"];
            421: components["responses"]["Problem421"];
            422: components["responses"]["Problem422"];
            429: components["responses"]["Problem429"];
            431: components["responses"]["Problem431"];
            503: components["responses"]["Problem503"];
        };
    };
    refuse_baseline: {
        parameters: {
            query?: never;
            header?: {
                /** @description a new key for each act (a random UUID); a repeat with it within 24 hours has no effect and gets the first answer again */
                "Idempotency-Key"?: string;
            };
            path: {
                baseline_id: number;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["BaselineRefusal"];
            };
        };
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BaselineDetail"];
                };
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            404: components["responses"]["Problem404"];
            405: components["responses"]["Problem405"];
            408: components["responses"]["Problem408"];
            409: components["responses"]["Problem409"];
            413: components["responses"]["Problem413"];
            414: components["responses"]["Problem414"];
            421: components["responses"]["Problem421"];
            422: components["responses"]["Problem422"];
            429: components["responses"]["Problem429"];
            431: components["responses"]["Problem431"];
            503: components["responses"]["Problem503"];
        };
    };
    withdraw_baseline: {
        parameters: {
            query?: never;
            header?: {
                /** @description a new key for each act (a random UUID); a repeat with it within 24 hours has no effect and gets the first answer again */
                "Idempotency-Key"?: string;
            };
            path: {
                baseline_id: number;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["BaselineDecision"];
            };
        };
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BaselineDetail"];
                };
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            404: components["responses"]["Problem404"];
            405: components["responses"]["Problem405"];
            408: components["responses"]["Problem408"];
            409: components["responses"]["Problem409"];
            413: components["responses"]["Problem413"];
            414: components["responses"]["Problem414"];
            421: components["responses"]["Problem421"];
            422: components["responses"]["Problem422"];
            429: components["responses"]["Problem429"];
            431: components["responses"]["Problem431"];
            503: components["responses"]["Problem503"];
        };
    };
    download_benchmark_file: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                file_id: number;
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
                    "application/octet-stream": string;
                };
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            404: components["responses"]["Problem404"];
            405: components["responses"]["Problem405"];
            408: components["responses"]["Problem408"];
            409: components["responses"]["Problem409"];
            413: components["responses"]["Problem413"];
            414: components["responses"]["Problem414"];
            421: components["responses"]["Problem421"];
            422: components["responses"]["Problem422"];
            429: components["responses"]["Problem429"];
            431: components["responses"]["Problem431"];
            503: components["responses"]["Problem503"];
        };
    };
    delete_benchmark_file: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                file_id: number;
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
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            404: components["responses"]["Problem404"];
            405: components["responses"]["Problem405"];
            408: components["responses"]["Problem408"];
            409: components["responses"]["Problem409"];
            413: components["responses"]["Problem413"];
            414: components["responses"]["Problem414"];
            421: components["responses"]["Problem421"];
            422: components["responses"]["Problem422"];
            429: components["responses"]["Problem429"];
            431: components["responses"]["Problem431"];
            503: components["responses"]["Problem503"];
        };
    };
    list_benchmark_runs: {
        parameters: {
            query?: {
                host?: string | null;
                tool?: ("vdbench" | "diskspd" | "ntttcp" | "iometer") | null;
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
                    "application/json": components["schemas"]["RunPage"];
                };
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            404: components["responses"]["Problem404"];
            405: components["responses"]["Problem405"];
            408: components["responses"]["Problem408"];
            409: components["responses"]["Problem409"];
            413: components["responses"]["Problem413"];
            414: components["responses"]["Problem414"];
            421: components["responses"]["Problem421"];
            422: components["responses"]["Problem422"];
            429: components["responses"]["Problem429"];
            431: components["responses"]["Problem431"];
            503: components["responses"]["Problem503"];
        };
    };
    read_benchmark_run: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                run_id: number;
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
                    "application/json": components["schemas"]["RunDetail"];
                };
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            404: components["responses"]["Problem404"];
            405: components["responses"]["Problem405"];
            408: components["responses"]["Problem408"];
            409: components["responses"]["Problem409"];
            413: components["responses"]["Problem413"];
            414: components["responses"]["Problem414"];
            421: components["responses"]["Problem421"];
            422: components["responses"]["Problem422"];
            429: components["responses"]["Problem429"];
            431: components["responses"]["Problem431"];
            503: components["responses"]["Problem503"];
        };
    };
    read_benchmark_share: {
        parameters: {
            query: {
                alone: number;
                configured?: number | null;
                tolerance?: number;
            };
            header?: never;
            path: {
                run_id: number;
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
                    "application/json": components["schemas"]["ShareOut"];
                };
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            404: components["responses"]["Problem404"];
            405: components["responses"]["Problem405"];
            408: components["responses"]["Problem408"];
            409: components["responses"]["Problem409"];
            413: components["responses"]["Problem413"];
            414: components["responses"]["Problem414"];
            421: components["responses"]["Problem421"];
            422: components["responses"]["Problem422"];
            429: components["responses"]["Problem429"];
            431: components["responses"]["Problem431"];
            503: components["responses"]["Problem503"];
        };
    };
    list_broken_glass: {
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
                    "application/json": components["schemas"]["BrokenGlass"][];
                };
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            404: components["responses"]["Problem404"];
            405: components["responses"]["Problem405"];
            408: components["responses"]["Problem408"];
            409: components["responses"]["Problem409"];
            413: components["responses"]["Problem413"];
            414: components["responses"]["Problem414"];
            421: components["responses"]["Problem421"];
            422: components["responses"]["Problem422"];
            429: components["responses"]["Problem429"];
            431: components["responses"]["Problem431"];
            503: components["responses"]["Problem503"];
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
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            404: components["responses"]["Problem404"];
            405: components["responses"]["Problem405"];
            408: components["responses"]["Problem408"];
            409: components["responses"]["Problem409"];
            413: components["responses"]["Problem413"];
            414: components["responses"]["Problem414"];
            421: components["responses"]["Problem421"];
            422: components["responses"]["Problem422"];
            429: components["responses"]["Problem429"];
            431: components["responses"]["Problem431"];
            503: components["responses"]["Problem503"];
        };
    };
    add_credential: {
        parameters: {
            query?: never;
            header?: {
                /** @description a new key for each act (a random UUID); a repeat with it within 24 hours has no effect and gets the first answer again */
                "Idempotency-Key"?: string;
            };
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
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            404: components["responses"]["Problem404"];
            405: components["responses"]["Problem405"];
            408: components["responses"]["Problem408"];
            409: components["responses"]["Problem409"];
            413: components["responses"]["Problem413"];
            414: components["responses"]["Problem414"];
            421: components["responses"]["Problem421"];
            422: components["responses"]["Problem422"];
            429: components["responses"]["Problem429"];
            431: components["responses"]["Problem431"];
            503: components["responses"]["Problem503"];
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
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            404: components["responses"]["Problem404"];
            405: components["responses"]["Problem405"];
            408: components["responses"]["Problem408"];
            409: components["responses"]["Problem409"];
            413: components["responses"]["Problem413"];
            414: components["responses"]["Problem414"];
            421: components["responses"]["Problem421"];
            422: components["responses"]["Problem422"];
            429: components["responses"]["Problem429"];
            431: components["responses"]["Problem431"];
            503: components["responses"]["Problem503"];
        };
    };
    stop_credential: {
        parameters: {
            query?: never;
            header?: {
                /** @description a new key for each act (a random UUID); a repeat with it within 24 hours has no effect and gets the first answer again */
                "Idempotency-Key"?: string;
            };
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
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            404: components["responses"]["Problem404"];
            405: components["responses"]["Problem405"];
            408: components["responses"]["Problem408"];
            409: components["responses"]["Problem409"];
            413: components["responses"]["Problem413"];
            414: components["responses"]["Problem414"];
            421: components["responses"]["Problem421"];
            422: components["responses"]["Problem422"];
            429: components["responses"]["Problem429"];
            431: components["responses"]["Problem431"];
            503: components["responses"]["Problem503"];
        };
    };
    try_credential: {
        parameters: {
            query?: never;
            header?: {
                /** @description a new key for each act (a random UUID); a repeat with it within 24 hours has no effect and gets the first answer again */
                "Idempotency-Key"?: string;
            };
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
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            404: components["responses"]["Problem404"];
            405: components["responses"]["Problem405"];
            408: components["responses"]["Problem408"];
            409: components["responses"]["Problem409"];
            413: components["responses"]["Problem413"];
            414: components["responses"]["Problem414"];
            421: components["responses"]["Problem421"];
            422: components["responses"]["Problem422"];
            429: components["responses"]["Problem429"];
            431: components["responses"]["Problem431"];
            503: components["responses"]["Problem503"];
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
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            404: components["responses"]["Problem404"];
            405: components["responses"]["Problem405"];
            408: components["responses"]["Problem408"];
            409: components["responses"]["Problem409"];
            413: components["responses"]["Problem413"];
            414: components["responses"]["Problem414"];
            421: components["responses"]["Problem421"];
            422: components["responses"]["Problem422"];
            429: components["responses"]["Problem429"];
            431: components["responses"]["Problem431"];
            503: components["responses"]["Problem503"];
        };
    };
    add_collected_host: {
        parameters: {
            query?: never;
            header?: {
                /** @description a new key for each act (a random UUID); a repeat with it within 24 hours has no effect and gets the first answer again */
                "Idempotency-Key"?: string;
            };
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
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            404: components["responses"]["Problem404"];
            405: components["responses"]["Problem405"];
            408: components["responses"]["Problem408"];
            409: components["responses"]["Problem409"];
            413: components["responses"]["Problem413"];
            414: components["responses"]["Problem414"];
            421: components["responses"]["Problem421"];
            422: components["responses"]["Problem422"];
            429: components["responses"]["Problem429"];
            431: components["responses"]["Problem431"];
            503: components["responses"]["Problem503"];
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
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            404: components["responses"]["Problem404"];
            405: components["responses"]["Problem405"];
            408: components["responses"]["Problem408"];
            409: components["responses"]["Problem409"];
            413: components["responses"]["Problem413"];
            414: components["responses"]["Problem414"];
            421: components["responses"]["Problem421"];
            422: components["responses"]["Problem422"];
            429: components["responses"]["Problem429"];
            431: components["responses"]["Problem431"];
            503: components["responses"]["Problem503"];
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
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            404: components["responses"]["Problem404"];
            405: components["responses"]["Problem405"];
            408: components["responses"]["Problem408"];
            409: components["responses"]["Problem409"];
            413: components["responses"]["Problem413"];
            414: components["responses"]["Problem414"];
            421: components["responses"]["Problem421"];
            422: components["responses"]["Problem422"];
            429: components["responses"]["Problem429"];
            431: components["responses"]["Problem431"];
            503: components["responses"]["Problem503"];
        };
    };
    confirm_host_key: {
        parameters: {
            query?: never;
            header?: {
                /** @description a new key for each act (a random UUID); a repeat with it within 24 hours has no effect and gets the first answer again */
                "Idempotency-Key"?: string;
            };
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
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            404: components["responses"]["Problem404"];
            405: components["responses"]["Problem405"];
            408: components["responses"]["Problem408"];
            409: components["responses"]["Problem409"];
            413: components["responses"]["Problem413"];
            414: components["responses"]["Problem414"];
            421: components["responses"]["Problem421"];
            422: components["responses"]["Problem422"];
            429: components["responses"]["Problem429"];
            431: components["responses"]["Problem431"];
            503: components["responses"]["Problem503"];
        };
    };
    look_at_host: {
        parameters: {
            query?: never;
            header?: {
                /** @description a new key for each act (a random UUID); a repeat with it within 24 hours has no effect and gets the first answer again */
                "Idempotency-Key"?: string;
            };
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
                    "application/json": components["schemas"]["Done"];
                };
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            404: components["responses"]["Problem404"];
            405: components["responses"]["Problem405"];
            408: components["responses"]["Problem408"];
            409: components["responses"]["Problem409"];
            413: components["responses"]["Problem413"];
            414: components["responses"]["Problem414"];
            421: components["responses"]["Problem421"];
            422: components["responses"]["Problem422"];
            429: components["responses"]["Problem429"];
            431: components["responses"]["Problem431"];
            503: components["responses"]["Problem503"];
        };
    };
    import_host_keys: {
        parameters: {
            query?: never;
            header?: {
                /** @description a new key for each act (a random UUID); a repeat with it within 24 hours has no effect and gets the first answer again */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["KeysImport"];
            };
        };
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ImportedKeys"];
                };
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            404: components["responses"]["Problem404"];
            405: components["responses"]["Problem405"];
            408: components["responses"]["Problem408"];
            409: components["responses"]["Problem409"];
            413: components["responses"]["Problem413"];
            414: components["responses"]["Problem414"];
            421: components["responses"]["Problem421"];
            422: components["responses"]["Problem422"];
            429: components["responses"]["Problem429"];
            431: components["responses"]["Problem431"];
            503: components["responses"]["Problem503"];
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
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            404: components["responses"]["Problem404"];
            405: components["responses"]["Problem405"];
            408: components["responses"]["Problem408"];
            409: components["responses"]["Problem409"];
            413: components["responses"]["Problem413"];
            414: components["responses"]["Problem414"];
            421: components["responses"]["Problem421"];
            422: components["responses"]["Problem422"];
            429: components["responses"]["Problem429"];
            431: components["responses"]["Problem431"];
            503: components["responses"]["Problem503"];
        };
    };
    list_vcenters: {
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
                    "application/json": components["schemas"]["VCenterRow"][];
                };
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            404: components["responses"]["Problem404"];
            405: components["responses"]["Problem405"];
            408: components["responses"]["Problem408"];
            409: components["responses"]["Problem409"];
            413: components["responses"]["Problem413"];
            414: components["responses"]["Problem414"];
            421: components["responses"]["Problem421"];
            422: components["responses"]["Problem422"];
            429: components["responses"]["Problem429"];
            431: components["responses"]["Problem431"];
            503: components["responses"]["Problem503"];
        };
    };
    add_vcenter: {
        parameters: {
            query?: never;
            header?: {
                /** @description a new key for each act (a random UUID); a repeat with it within 24 hours has no effect and gets the first answer again */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["VCenterCreate"];
            };
        };
        responses: {
            /** @description Successful Response */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["VCenterRow"];
                };
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            404: components["responses"]["Problem404"];
            405: components["responses"]["Problem405"];
            408: components["responses"]["Problem408"];
            409: components["responses"]["Problem409"];
            413: components["responses"]["Problem413"];
            414: components["responses"]["Problem414"];
            421: components["responses"]["Problem421"];
            422: components["responses"]["Problem422"];
            429: components["responses"]["Problem429"];
            431: components["responses"]["Problem431"];
            503: components["responses"]["Problem503"];
        };
    };
    remove_vcenter: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                vcenter_id: number;
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
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            404: components["responses"]["Problem404"];
            405: components["responses"]["Problem405"];
            408: components["responses"]["Problem408"];
            409: components["responses"]["Problem409"];
            413: components["responses"]["Problem413"];
            414: components["responses"]["Problem414"];
            421: components["responses"]["Problem421"];
            422: components["responses"]["Problem422"];
            429: components["responses"]["Problem429"];
            431: components["responses"]["Problem431"];
            503: components["responses"]["Problem503"];
        };
    };
    change_vcenter: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                vcenter_id: number;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["VCenterUpdate"];
            };
        };
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["VCenterRow"];
                };
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            404: components["responses"]["Problem404"];
            405: components["responses"]["Problem405"];
            408: components["responses"]["Problem408"];
            409: components["responses"]["Problem409"];
            413: components["responses"]["Problem413"];
            414: components["responses"]["Problem414"];
            421: components["responses"]["Problem421"];
            422: components["responses"]["Problem422"];
            429: components["responses"]["Problem429"];
            431: components["responses"]["Problem431"];
            503: components["responses"]["Problem503"];
        };
    };
    confirm_vcenter: {
        parameters: {
            query?: never;
            header?: {
                /** @description a new key for each act (a random UUID); a repeat with it within 24 hours has no effect and gets the first answer again */
                "Idempotency-Key"?: string;
            };
            path: {
                vcenter_id: number;
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
                    "application/json": components["schemas"]["VCenterRow"];
                };
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            404: components["responses"]["Problem404"];
            405: components["responses"]["Problem405"];
            408: components["responses"]["Problem408"];
            409: components["responses"]["Problem409"];
            413: components["responses"]["Problem413"];
            414: components["responses"]["Problem414"];
            421: components["responses"]["Problem421"];
            422: components["responses"]["Problem422"];
            429: components["responses"]["Problem429"];
            431: components["responses"]["Problem431"];
            503: components["responses"]["Problem503"];
        };
    };
    list_vcenter_hosts: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                vcenter_id: number;
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
                    "application/json": components["schemas"]["VCenterHostRow"][];
                };
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            404: components["responses"]["Problem404"];
            405: components["responses"]["Problem405"];
            408: components["responses"]["Problem408"];
            409: components["responses"]["Problem409"];
            413: components["responses"]["Problem413"];
            414: components["responses"]["Problem414"];
            421: components["responses"]["Problem421"];
            422: components["responses"]["Problem422"];
            429: components["responses"]["Problem429"];
            431: components["responses"]["Problem431"];
            503: components["responses"]["Problem503"];
        };
    };
    link_vcenter_host: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                vcenter_id: number;
                moid: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["HostLink"];
            };
        };
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["VCenterHostRow"];
                };
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            404: components["responses"]["Problem404"];
            405: components["responses"]["Problem405"];
            408: components["responses"]["Problem408"];
            409: components["responses"]["Problem409"];
            413: components["responses"]["Problem413"];
            414: components["responses"]["Problem414"];
            421: components["responses"]["Problem421"];
            422: components["responses"]["Problem422"];
            429: components["responses"]["Problem429"];
            431: components["responses"]["Problem431"];
            503: components["responses"]["Problem503"];
        };
    };
    look_at_vcenter: {
        parameters: {
            query?: never;
            header?: {
                /** @description a new key for each act (a random UUID); a repeat with it within 24 hours has no effect and gets the first answer again */
                "Idempotency-Key"?: string;
            };
            path: {
                vcenter_id: number;
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
                    "application/json": components["schemas"]["Done"];
                };
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            404: components["responses"]["Problem404"];
            405: components["responses"]["Problem405"];
            408: components["responses"]["Problem408"];
            409: components["responses"]["Problem409"];
            413: components["responses"]["Problem413"];
            414: components["responses"]["Problem414"];
            421: components["responses"]["Problem421"];
            422: components["responses"]["Problem422"];
            429: components["responses"]["Problem429"];
            431: components["responses"]["Problem431"];
            503: components["responses"]["Problem503"];
        };
    };
    read_vcenter_now: {
        parameters: {
            query?: never;
            header?: {
                /** @description a new key for each act (a random UUID); a repeat with it within 24 hours has no effect and gets the first answer again */
                "Idempotency-Key"?: string;
            };
            path: {
                vcenter_id: number;
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
                    "application/json": components["schemas"]["Done"];
                };
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            404: components["responses"]["Problem404"];
            405: components["responses"]["Problem405"];
            408: components["responses"]["Problem408"];
            409: components["responses"]["Problem409"];
            413: components["responses"]["Problem413"];
            414: components["responses"]["Problem414"];
            421: components["responses"]["Problem421"];
            422: components["responses"]["Problem422"];
            429: components["responses"]["Problem429"];
            431: components["responses"]["Problem431"];
            503: components["responses"]["Problem503"];
        };
    };
    propose_conflict_decision: {
        parameters: {
            query?: never;
            header?: {
                /** @description a new key for each act (a random UUID); a repeat with it within 24 hours has no effect and gets the first answer again */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["DecisionProposal"];
            };
        };
        responses: {
            /** @description Successful Response */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DecisionOut"];
                };
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            404: components["responses"]["Problem404"];
            405: components["responses"]["Problem405"];
            408: components["responses"]["Problem408"];
            409: components["responses"]["Problem409"];
            413: components["responses"]["Problem413"];
            414: components["responses"]["Problem414"];
            421: components["responses"]["Problem421"];
            422: components["responses"]["Problem422"];
            429: components["responses"]["Problem429"];
            431: components["responses"]["Problem431"];
            503: components["responses"]["Problem503"];
        };
    };
    approve_conflict_decision: {
        parameters: {
            query?: never;
            header?: {
                /** @description a new key for each act (a random UUID); a repeat with it within 24 hours has no effect and gets the first answer again */
                "Idempotency-Key"?: string;
            };
            path: {
                decision_id: number;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["DecisionAct"];
            };
        };
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DecisionOut"];
                };
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            404: components["responses"]["Problem404"];
            405: components["responses"]["Problem405"];
            408: components["responses"]["Problem408"];
            409: components["responses"]["Problem409"];
            413: components["responses"]["Problem413"];
            414: components["responses"]["Problem414"];
            421: components["responses"]["Problem421"];
            422: components["responses"]["Problem422"];
            429: components["responses"]["Problem429"];
            431: components["responses"]["Problem431"];
            503: components["responses"]["Problem503"];
        };
    };
    refuse_conflict_decision: {
        parameters: {
            query?: never;
            header?: {
                /** @description a new key for each act (a random UUID); a repeat with it within 24 hours has no effect and gets the first answer again */
                "Idempotency-Key"?: string;
            };
            path: {
                decision_id: number;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["DecisionAct"];
            };
        };
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DecisionOut"];
                };
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            404: components["responses"]["Problem404"];
            405: components["responses"]["Problem405"];
            408: components["responses"]["Problem408"];
            409: components["responses"]["Problem409"];
            413: components["responses"]["Problem413"];
            414: components["responses"]["Problem414"];
            421: components["responses"]["Problem421"];
            422: components["responses"]["Problem422"];
            429: components["responses"]["Problem429"];
            431: components["responses"]["Problem431"];
            503: components["responses"]["Problem503"];
        };
    };
    withdraw_conflict_decision: {
        parameters: {
            query?: never;
            header?: {
                /** @description a new key for each act (a random UUID); a repeat with it within 24 hours has no effect and gets the first answer again */
                "Idempotency-Key"?: string;
            };
            path: {
                decision_id: number;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["DecisionAct"];
            };
        };
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DecisionOut"];
                };
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            404: components["responses"]["Problem404"];
            405: components["responses"]["Problem405"];
            408: components["responses"]["Problem408"];
            409: components["responses"]["Problem409"];
            413: components["responses"]["Problem413"];
            414: components["responses"]["Problem414"];
            421: components["responses"]["Problem421"];
            422: components["responses"]["Problem422"];
            429: components["responses"]["Problem429"];
            431: components["responses"]["Problem431"];
            503: components["responses"]["Problem503"];
        };
    };
    list_conflicts: {
        parameters: {
            query?: {
                group?: number | null;
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
                    "application/json": components["schemas"]["ConflictList"];
                };
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            404: components["responses"]["Problem404"];
            405: components["responses"]["Problem405"];
            408: components["responses"]["Problem408"];
            409: components["responses"]["Problem409"];
            413: components["responses"]["Problem413"];
            414: components["responses"]["Problem414"];
            421: components["responses"]["Problem421"];
            422: components["responses"]["Problem422"];
            429: components["responses"]["Problem429"];
            431: components["responses"]["Problem431"];
            503: components["responses"]["Problem503"];
        };
    };
    list_demo_logins: {
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
                    "application/json": components["schemas"]["DemoLogin"][];
                };
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            404: components["responses"]["Problem404"];
            405: components["responses"]["Problem405"];
            408: components["responses"]["Problem408"];
            409: components["responses"]["Problem409"];
            413: components["responses"]["Problem413"];
            414: components["responses"]["Problem414"];
            421: components["responses"]["Problem421"];
            422: components["responses"]["Problem422"];
            429: components["responses"]["Problem429"];
            431: components["responses"]["Problem431"];
            503: components["responses"]["Problem503"];
        };
    };
    list_domains: {
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
                    "application/json": components["schemas"]["DomainOut"][];
                };
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            404: components["responses"]["Problem404"];
            405: components["responses"]["Problem405"];
            408: components["responses"]["Problem408"];
            409: components["responses"]["Problem409"];
            413: components["responses"]["Problem413"];
            414: components["responses"]["Problem414"];
            421: components["responses"]["Problem421"];
            422: components["responses"]["Problem422"];
            429: components["responses"]["Problem429"];
            431: components["responses"]["Problem431"];
            503: components["responses"]["Problem503"];
        };
    };
    set_domain_budget: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["BudgetSet"];
            };
        };
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Done"];
                };
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            404: components["responses"]["Problem404"];
            405: components["responses"]["Problem405"];
            408: components["responses"]["Problem408"];
            409: components["responses"]["Problem409"];
            413: components["responses"]["Problem413"];
            414: components["responses"]["Problem414"];
            421: components["responses"]["Problem421"];
            422: components["responses"]["Problem422"];
            429: components["responses"]["Problem429"];
            431: components["responses"]["Problem431"];
            503: components["responses"]["Problem503"];
        };
    };
    read_drift: {
        parameters: {
            query?: {
                group?: number | null;
                hours?: number;
                cause?: string[];
                host?: string[];
                unread?: boolean;
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
                    "application/json": components["schemas"]["DriftPage"];
                };
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            404: components["responses"]["Problem404"];
            405: components["responses"]["Problem405"];
            408: components["responses"]["Problem408"];
            409: components["responses"]["Problem409"];
            413: components["responses"]["Problem413"];
            414: components["responses"]["Problem414"];
            421: components["responses"]["Problem421"];
            422: components["responses"]["Problem422"];
            429: components["responses"]["Problem429"];
            431: components["responses"]["Problem431"];
            503: components["responses"]["Problem503"];
        };
    };
    list_drift_event_details: {
        parameters: {
            query: {
                event: number[];
                group?: number | null;
                unread?: boolean;
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
                    "application/json": components["schemas"]["EventDetail"][];
                };
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            404: components["responses"]["Problem404"];
            405: components["responses"]["Problem405"];
            408: components["responses"]["Problem408"];
            409: components["responses"]["Problem409"];
            413: components["responses"]["Problem413"];
            414: components["responses"]["Problem414"];
            421: components["responses"]["Problem421"];
            422: components["responses"]["Problem422"];
            429: components["responses"]["Problem429"];
            431: components["responses"]["Problem431"];
            503: components["responses"]["Problem503"];
        };
    };
    read_drift_event: {
        parameters: {
            query?: {
                group?: number | null;
                unread?: boolean;
            };
            header?: never;
            path: {
                event_id: number;
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
                    "application/json": components["schemas"]["EventDetail"];
                };
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            404: components["responses"]["Problem404"];
            405: components["responses"]["Problem405"];
            408: components["responses"]["Problem408"];
            409: components["responses"]["Problem409"];
            413: components["responses"]["Problem413"];
            414: components["responses"]["Problem414"];
            421: components["responses"]["Problem421"];
            422: components["responses"]["Problem422"];
            429: components["responses"]["Problem429"];
            431: components["responses"]["Problem431"];
            503: components["responses"]["Problem503"];
        };
    };
    mark_changes: {
        parameters: {
            query?: never;
            header?: {
                /** @description a new key for each act (a random UUID); a repeat with it within 24 hours has no effect and gets the first answer again */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ChangeMarkCreate"];
            };
        };
        responses: {
            /** @description Successful Response */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ChangeMarkMade"];
                };
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            404: components["responses"]["Problem404"];
            405: components["responses"]["Problem405"];
            408: components["responses"]["Problem408"];
            409: components["responses"]["Problem409"];
            413: components["responses"]["Problem413"];
            414: components["responses"]["Problem414"];
            421: components["responses"]["Problem421"];
            422: components["responses"]["Problem422"];
            429: components["responses"]["Problem429"];
            431: components["responses"]["Problem431"];
            503: components["responses"]["Problem503"];
        };
    };
    unmark_changes: {
        parameters: {
            query?: never;
            header?: {
                /** @description a new key for each act (a random UUID); a repeat with it within 24 hours has no effect and gets the first answer again */
                "Idempotency-Key"?: string;
            };
            path: {
                mark_id: number;
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
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            404: components["responses"]["Problem404"];
            405: components["responses"]["Problem405"];
            408: components["responses"]["Problem408"];
            409: components["responses"]["Problem409"];
            413: components["responses"]["Problem413"];
            414: components["responses"]["Problem414"];
            421: components["responses"]["Problem421"];
            422: components["responses"]["Problem422"];
            429: components["responses"]["Problem429"];
            431: components["responses"]["Problem431"];
            503: components["responses"]["Problem503"];
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
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            404: components["responses"]["Problem404"];
            405: components["responses"]["Problem405"];
            408: components["responses"]["Problem408"];
            409: components["responses"]["Problem409"];
            413: components["responses"]["Problem413"];
            414: components["responses"]["Problem414"];
            421: components["responses"]["Problem421"];
            422: components["responses"]["Problem422"];
            429: components["responses"]["Problem429"];
            431: components["responses"]["Problem431"];
            503: components["responses"]["Problem503"];
        };
    };
    make_enrolment_token: {
        parameters: {
            query?: never;
            header?: {
                /** @description a new key for each act (a random UUID); a repeat with it within 24 hours has no effect and gets the first answer again */
                "Idempotency-Key"?: string;
            };
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
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            404: components["responses"]["Problem404"];
            405: components["responses"]["Problem405"];
            408: components["responses"]["Problem408"];
            409: components["responses"]["Problem409"];
            413: components["responses"]["Problem413"];
            414: components["responses"]["Problem414"];
            421: components["responses"]["Problem421"];
            422: components["responses"]["Problem422"];
            429: components["responses"]["Problem429"];
            431: components["responses"]["Problem431"];
            503: components["responses"]["Problem503"];
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
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            404: components["responses"]["Problem404"];
            405: components["responses"]["Problem405"];
            408: components["responses"]["Problem408"];
            409: components["responses"]["Problem409"];
            413: components["responses"]["Problem413"];
            414: components["responses"]["Problem414"];
            421: components["responses"]["Problem421"];
            422: components["responses"]["Problem422"];
            429: components["responses"]["Problem429"];
            431: components["responses"]["Problem431"];
            503: components["responses"]["Problem503"];
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
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            404: components["responses"]["Problem404"];
            405: components["responses"]["Problem405"];
            408: components["responses"]["Problem408"];
            409: components["responses"]["Problem409"];
            413: components["responses"]["Problem413"];
            414: components["responses"]["Problem414"];
            421: components["responses"]["Problem421"];
            422: components["responses"]["Problem422"];
            429: components["responses"]["Problem429"];
            431: components["responses"]["Problem431"];
            503: components["responses"]["Problem503"];
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
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            404: components["responses"]["Problem404"];
            405: components["responses"]["Problem405"];
            408: components["responses"]["Problem408"];
            409: components["responses"]["Problem409"];
            413: components["responses"]["Problem413"];
            414: components["responses"]["Problem414"];
            421: components["responses"]["Problem421"];
            422: components["responses"]["Problem422"];
            429: components["responses"]["Problem429"];
            431: components["responses"]["Problem431"];
            503: components["responses"]["Problem503"];
        };
    };
    list_evidence_bundles: {
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
                    "application/json": components["schemas"]["EvidenceBundleOut"][];
                };
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            404: components["responses"]["Problem404"];
            405: components["responses"]["Problem405"];
            408: components["responses"]["Problem408"];
            409: components["responses"]["Problem409"];
            413: components["responses"]["Problem413"];
            414: components["responses"]["Problem414"];
            421: components["responses"]["Problem421"];
            422: components["responses"]["Problem422"];
            429: components["responses"]["Problem429"];
            431: components["responses"]["Problem431"];
            503: components["responses"]["Problem503"];
        };
    };
    request_evidence_bundle: {
        parameters: {
            query?: never;
            header?: {
                /** @description a new key for each act (a random UUID); a repeat with it within 24 hours has no effect and gets the first answer again */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["EvidenceBundleCreate"];
            };
        };
        responses: {
            /** @description Successful Response */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["EvidenceBundleOut"];
                };
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            404: components["responses"]["Problem404"];
            405: components["responses"]["Problem405"];
            408: components["responses"]["Problem408"];
            409: components["responses"]["Problem409"];
            413: components["responses"]["Problem413"];
            414: components["responses"]["Problem414"];
            421: components["responses"]["Problem421"];
            422: components["responses"]["Problem422"];
            429: components["responses"]["Problem429"];
            431: components["responses"]["Problem431"];
            503: components["responses"]["Problem503"];
        };
    };
    download_verifier: {
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
                    "text/x-python": string;
                };
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            404: components["responses"]["Problem404"];
            405: components["responses"]["Problem405"];
            408: components["responses"]["Problem408"];
            409: components["responses"]["Problem409"];
            413: components["responses"]["Problem413"];
            414: components["responses"]["Problem414"];
            421: components["responses"]["Problem421"];
            422: components["responses"]["Problem422"];
            429: components["responses"]["Problem429"];
            431: components["responses"]["Problem431"];
            503: components["responses"]["Problem503"];
        };
    };
    read_evidence_bundle: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                bundle_id: number;
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
                    "application/json": components["schemas"]["EvidenceBundleOut"];
                };
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            404: components["responses"]["Problem404"];
            405: components["responses"]["Problem405"];
            408: components["responses"]["Problem408"];
            409: components["responses"]["Problem409"];
            413: components["responses"]["Problem413"];
            414: components["responses"]["Problem414"];
            421: components["responses"]["Problem421"];
            422: components["responses"]["Problem422"];
            429: components["responses"]["Problem429"];
            431: components["responses"]["Problem431"];
            503: components["responses"]["Problem503"];
        };
    };
    download_evidence_bundle: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                bundle_id: number;
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
                    "application/zip": string;
                };
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            404: components["responses"]["Problem404"];
            405: components["responses"]["Problem405"];
            408: components["responses"]["Problem408"];
            409: components["responses"]["Problem409"];
            413: components["responses"]["Problem413"];
            414: components["responses"]["Problem414"];
            421: components["responses"]["Problem421"];
            422: components["responses"]["Problem422"];
            429: components["responses"]["Problem429"];
            431: components["responses"]["Problem431"];
            503: components["responses"]["Problem503"];
        };
    };
    export_attestations: {
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
                    "text/csv": string;
                };
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            404: components["responses"]["Problem404"];
            405: components["responses"]["Problem405"];
            408: components["responses"]["Problem408"];
            409: components["responses"]["Problem409"];
            413: components["responses"]["Problem413"];
            414: components["responses"]["Problem414"];
            421: components["responses"]["Problem421"];
            422: components["responses"]["Problem422"];
            429: components["responses"]["Problem429"];
            431: components["responses"]["Problem431"];
            503: components["responses"]["Problem503"];
        };
    };
    export_audit: {
        parameters: {
            query?: {
                action?: string;
                actor?: string;
                object?: string;
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
                    "text/csv": string;
                };
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            404: components["responses"]["Problem404"];
            405: components["responses"]["Problem405"];
            408: components["responses"]["Problem408"];
            409: components["responses"]["Problem409"];
            413: components["responses"]["Problem413"];
            414: components["responses"]["Problem414"];
            421: components["responses"]["Problem421"];
            422: components["responses"]["Problem422"];
            429: components["responses"]["Problem429"];
            431: components["responses"]["Problem431"];
            503: components["responses"]["Problem503"];
        };
    };
    export_baselines: {
        parameters: {
            query?: {
                state?: ("proposed" | "accepted" | "refused" | "withdrawn") | null;
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
                    "text/csv": string;
                };
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            404: components["responses"]["Problem404"];
            405: components["responses"]["Problem405"];
            408: components["responses"]["Problem408"];
            409: components["responses"]["Problem409"];
            413: components["responses"]["Problem413"];
            414: components["responses"]["Problem414"];
            421: components["responses"]["Problem421"];
            422: components["responses"]["Problem422"];
            429: components["responses"]["Problem429"];
            431: components["responses"]["Problem431"];
            503: components["responses"]["Problem503"];
        };
    };
    export_drift: {
        parameters: {
            query?: {
                group?: number | null;
                hours?: number;
                cause?: string[];
                host?: string[];
                unread?: boolean;
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
                    "text/csv": string;
                };
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            404: components["responses"]["Problem404"];
            405: components["responses"]["Problem405"];
            408: components["responses"]["Problem408"];
            409: components["responses"]["Problem409"];
            413: components["responses"]["Problem413"];
            414: components["responses"]["Problem414"];
            421: components["responses"]["Problem421"];
            422: components["responses"]["Problem422"];
            429: components["responses"]["Problem429"];
            431: components["responses"]["Problem431"];
            503: components["responses"]["Problem503"];
        };
    };
    export_hosts: {
        parameters: {
            query?: {
                q?: string;
                host?: string[];
                group?: number[];
                platform?: string[];
                os?: string[];
                family?: string[];
                mode?: string[];
                managed?: ("observe" | "remediate")[];
                outcome?: ("fail" | "unknown" | "waived" | "guard_rail" | "pass" | "excluded" | "not_applicable")[];
                drift?: ("standard" | "baseline" | "peers" | "persisted")[];
                freshness?: ("fresh" | "late" | "silent" | "never" | "bundle")[];
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
                    "text/csv": string;
                };
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            404: components["responses"]["Problem404"];
            405: components["responses"]["Problem405"];
            408: components["responses"]["Problem408"];
            409: components["responses"]["Problem409"];
            413: components["responses"]["Problem413"];
            414: components["responses"]["Problem414"];
            421: components["responses"]["Problem421"];
            422: components["responses"]["Problem422"];
            429: components["responses"]["Problem429"];
            431: components["responses"]["Problem431"];
            503: components["responses"]["Problem503"];
        };
    };
    export_host_changes: {
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
                    "text/csv": string;
                };
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            404: components["responses"]["Problem404"];
            405: components["responses"]["Problem405"];
            408: components["responses"]["Problem408"];
            409: components["responses"]["Problem409"];
            413: components["responses"]["Problem413"];
            414: components["responses"]["Problem414"];
            421: components["responses"]["Problem421"];
            422: components["responses"]["Problem422"];
            429: components["responses"]["Problem429"];
            431: components["responses"]["Problem431"];
            503: components["responses"]["Problem503"];
        };
    };
    export_host_comparison: {
        parameters: {
            query?: {
                reference?: "host" | "baseline" | "peers" | "best" | "date" | "running" | "bundle";
                other?: string | null;
                at?: string | null;
                assessed?: number | null;
                same?: boolean;
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
                    "text/csv": string;
                };
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            404: components["responses"]["Problem404"];
            405: components["responses"]["Problem405"];
            408: components["responses"]["Problem408"];
            409: components["responses"]["Problem409"];
            413: components["responses"]["Problem413"];
            414: components["responses"]["Problem414"];
            421: components["responses"]["Problem421"];
            422: components["responses"]["Problem422"];
            429: components["responses"]["Problem429"];
            431: components["responses"]["Problem431"];
            503: components["responses"]["Problem503"];
        };
    };
    export_host_counters: {
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
                    "text/csv": string;
                };
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            404: components["responses"]["Problem404"];
            405: components["responses"]["Problem405"];
            408: components["responses"]["Problem408"];
            409: components["responses"]["Problem409"];
            413: components["responses"]["Problem413"];
            414: components["responses"]["Problem414"];
            421: components["responses"]["Problem421"];
            422: components["responses"]["Problem422"];
            429: components["responses"]["Problem429"];
            431: components["responses"]["Problem431"];
            503: components["responses"]["Problem503"];
        };
    };
    export_host_findings: {
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
                    "text/csv": string;
                };
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            404: components["responses"]["Problem404"];
            405: components["responses"]["Problem405"];
            408: components["responses"]["Problem408"];
            409: components["responses"]["Problem409"];
            413: components["responses"]["Problem413"];
            414: components["responses"]["Problem414"];
            421: components["responses"]["Problem421"];
            422: components["responses"]["Problem422"];
            429: components["responses"]["Problem429"];
            431: components["responses"]["Problem431"];
            503: components["responses"]["Problem503"];
        };
    };
    export_host_score: {
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
                    "text/csv": string;
                };
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            404: components["responses"]["Problem404"];
            405: components["responses"]["Problem405"];
            408: components["responses"]["Problem408"];
            409: components["responses"]["Problem409"];
            413: components["responses"]["Problem413"];
            414: components["responses"]["Problem414"];
            421: components["responses"]["Problem421"];
            422: components["responses"]["Problem422"];
            429: components["responses"]["Problem429"];
            431: components["responses"]["Problem431"];
            503: components["responses"]["Problem503"];
        };
    };
    export_host_settings: {
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
                    "text/csv": string;
                };
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            404: components["responses"]["Problem404"];
            405: components["responses"]["Problem405"];
            408: components["responses"]["Problem408"];
            409: components["responses"]["Problem409"];
            413: components["responses"]["Problem413"];
            414: components["responses"]["Problem414"];
            421: components["responses"]["Problem421"];
            422: components["responses"]["Problem422"];
            429: components["responses"]["Problem429"];
            431: components["responses"]["Problem431"];
            503: components["responses"]["Problem503"];
        };
    };
    export_jobs: {
        parameters: {
            query?: {
                state?: string[];
                host?: string | null;
                plan?: number | null;
                is_open?: boolean | null;
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
                    "text/csv": string;
                };
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            404: components["responses"]["Problem404"];
            405: components["responses"]["Problem405"];
            408: components["responses"]["Problem408"];
            409: components["responses"]["Problem409"];
            413: components["responses"]["Problem413"];
            414: components["responses"]["Problem414"];
            421: components["responses"]["Problem421"];
            422: components["responses"]["Problem422"];
            429: components["responses"]["Problem429"];
            431: components["responses"]["Problem431"];
            503: components["responses"]["Problem503"];
        };
    };
    export_run_hosts: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                run_id: number;
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
                    "text/csv": string;
                };
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            404: components["responses"]["Problem404"];
            405: components["responses"]["Problem405"];
            408: components["responses"]["Problem408"];
            409: components["responses"]["Problem409"];
            413: components["responses"]["Problem413"];
            414: components["responses"]["Problem414"];
            421: components["responses"]["Problem421"];
            422: components["responses"]["Problem422"];
            429: components["responses"]["Problem429"];
            431: components["responses"]["Problem431"];
            503: components["responses"]["Problem503"];
        };
    };
    export_matrix: {
        parameters: {
            query?: {
                group?: number | null;
                cluster?: string;
                by?: ("cluster" | "group") | null;
                pack?: string[];
                rules?: "failing" | "all";
                hosts?: boolean;
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
                    "text/csv": string;
                };
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            404: components["responses"]["Problem404"];
            405: components["responses"]["Problem405"];
            408: components["responses"]["Problem408"];
            409: components["responses"]["Problem409"];
            413: components["responses"]["Problem413"];
            414: components["responses"]["Problem414"];
            421: components["responses"]["Problem421"];
            422: components["responses"]["Problem422"];
            429: components["responses"]["Problem429"];
            431: components["responses"]["Problem431"];
            503: components["responses"]["Problem503"];
        };
    };
    export_charts: {
        parameters: {
            query?: {
                host?: string[];
                series?: string[];
                hours?: number;
                from?: string | null;
                to?: string | null;
                compare?: string;
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
                    "text/csv": string;
                };
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            404: components["responses"]["Problem404"];
            405: components["responses"]["Problem405"];
            408: components["responses"]["Problem408"];
            409: components["responses"]["Problem409"];
            413: components["responses"]["Problem413"];
            414: components["responses"]["Problem414"];
            421: components["responses"]["Problem421"];
            422: components["responses"]["Problem422"];
            429: components["responses"]["Problem429"];
            431: components["responses"]["Problem431"];
            503: components["responses"]["Problem503"];
        };
    };
    export_plans: {
        parameters: {
            query?: {
                state?: string[];
                mine?: boolean;
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
                    "text/csv": string;
                };
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            404: components["responses"]["Problem404"];
            405: components["responses"]["Problem405"];
            408: components["responses"]["Problem408"];
            409: components["responses"]["Problem409"];
            413: components["responses"]["Problem413"];
            414: components["responses"]["Problem414"];
            421: components["responses"]["Problem421"];
            422: components["responses"]["Problem422"];
            429: components["responses"]["Problem429"];
            431: components["responses"]["Problem431"];
            503: components["responses"]["Problem503"];
        };
    };
    export_rules: {
        parameters: {
            query?: {
                q?: string;
                pack?: string[];
                kind?: string[];
                outcome?: ("fail" | "unknown" | "excluded" | "waived" | "advice" | "pass" | "not_applicable")[];
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
                    "text/csv": string;
                };
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            404: components["responses"]["Problem404"];
            405: components["responses"]["Problem405"];
            408: components["responses"]["Problem408"];
            409: components["responses"]["Problem409"];
            413: components["responses"]["Problem413"];
            414: components["responses"]["Problem414"];
            421: components["responses"]["Problem421"];
            422: components["responses"]["Problem422"];
            429: components["responses"]["Problem429"];
            431: components["responses"]["Problem431"];
            503: components["responses"]["Problem503"];
        };
    };
    export_rule_hosts: {
        parameters: {
            query?: {
                outcome?: ("fail" | "unknown" | "excluded" | "waived" | "advice" | "pass" | "not_applicable")[];
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
                    "text/csv": string;
                };
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            404: components["responses"]["Problem404"];
            405: components["responses"]["Problem405"];
            408: components["responses"]["Problem408"];
            409: components["responses"]["Problem409"];
            413: components["responses"]["Problem413"];
            414: components["responses"]["Problem414"];
            421: components["responses"]["Problem421"];
            422: components["responses"]["Problem422"];
            429: components["responses"]["Problem429"];
            431: components["responses"]["Problem431"];
            503: components["responses"]["Problem503"];
        };
    };
    export_fleet_score: {
        parameters: {
            query?: {
                group?: number | null;
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
                    "text/csv": string;
                };
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            404: components["responses"]["Problem404"];
            405: components["responses"]["Problem405"];
            408: components["responses"]["Problem408"];
            409: components["responses"]["Problem409"];
            413: components["responses"]["Problem413"];
            414: components["responses"]["Problem414"];
            421: components["responses"]["Problem421"];
            422: components["responses"]["Problem422"];
            429: components["responses"]["Problem429"];
            431: components["responses"]["Problem431"];
            503: components["responses"]["Problem503"];
        };
    };
    export_waivers: {
        parameters: {
            query?: {
                state?: ("requested" | "active" | "refused" | "expired" | "tripped" | "withdrawn" | "replaced")[];
                owner?: number[];
                age?: ("30" | "90" | "older")[];
                ends_within?: ("7" | "30" | "90") | null;
                q?: string;
                rule?: string;
                host?: string;
                group?: number | null;
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
                    "text/csv": string;
                };
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            404: components["responses"]["Problem404"];
            405: components["responses"]["Problem405"];
            408: components["responses"]["Problem408"];
            409: components["responses"]["Problem409"];
            413: components["responses"]["Problem413"];
            414: components["responses"]["Problem414"];
            421: components["responses"]["Problem421"];
            422: components["responses"]["Problem422"];
            429: components["responses"]["Problem429"];
            431: components["responses"]["Problem431"];
            503: components["responses"]["Problem503"];
        };
    };
    import_fabric_labels: {
        parameters: {
            query?: never;
            header?: {
                /** @description a new key for each act (a random UUID); a repeat with it within 24 hours has no effect and gets the first answer again */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["FabricImportRequest"];
            };
        };
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["FabricImport"];
                };
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            404: components["responses"]["Problem404"];
            405: components["responses"]["Problem405"];
            408: components["responses"]["Problem408"];
            409: components["responses"]["Problem409"];
            413: components["responses"]["Problem413"];
            414: components["responses"]["Problem414"];
            421: components["responses"]["Problem421"];
            422: components["responses"]["Problem422"];
            429: components["responses"]["Problem429"];
            431: components["responses"]["Problem431"];
            503: components["responses"]["Problem503"];
        };
    };
    read_first_steps: {
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
                    "application/json": components["schemas"]["FirstSteps"];
                };
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            404: components["responses"]["Problem404"];
            405: components["responses"]["Problem405"];
            408: components["responses"]["Problem408"];
            409: components["responses"]["Problem409"];
            413: components["responses"]["Problem413"];
            414: components["responses"]["Problem414"];
            421: components["responses"]["Problem421"];
            422: components["responses"]["Problem422"];
            429: components["responses"]["Problem429"];
            431: components["responses"]["Problem431"];
            503: components["responses"]["Problem503"];
        };
    };
    list_freezes: {
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
                    "application/json": components["schemas"]["FreezeOut"][];
                };
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            404: components["responses"]["Problem404"];
            405: components["responses"]["Problem405"];
            408: components["responses"]["Problem408"];
            409: components["responses"]["Problem409"];
            413: components["responses"]["Problem413"];
            414: components["responses"]["Problem414"];
            421: components["responses"]["Problem421"];
            422: components["responses"]["Problem422"];
            429: components["responses"]["Problem429"];
            431: components["responses"]["Problem431"];
            503: components["responses"]["Problem503"];
        };
    };
    make_freeze: {
        parameters: {
            query?: never;
            header?: {
                /** @description a new key for each act (a random UUID); a repeat with it within 24 hours has no effect and gets the first answer again */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["FreezeCreate"];
            };
        };
        responses: {
            /** @description Successful Response */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["FreezeOut"];
                };
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            404: components["responses"]["Problem404"];
            405: components["responses"]["Problem405"];
            408: components["responses"]["Problem408"];
            409: components["responses"]["Problem409"];
            413: components["responses"]["Problem413"];
            414: components["responses"]["Problem414"];
            421: components["responses"]["Problem421"];
            422: components["responses"]["Problem422"];
            429: components["responses"]["Problem429"];
            431: components["responses"]["Problem431"];
            503: components["responses"]["Problem503"];
        };
    };
    end_freeze: {
        parameters: {
            query?: never;
            header?: {
                /** @description a new key for each act (a random UUID); a repeat with it within 24 hours has no effect and gets the first answer again */
                "Idempotency-Key"?: string;
            };
            path: {
                freeze_id: number;
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
                    "application/json": components["schemas"]["FreezeOut"];
                };
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            404: components["responses"]["Problem404"];
            405: components["responses"]["Problem405"];
            408: components["responses"]["Problem408"];
            409: components["responses"]["Problem409"];
            413: components["responses"]["Problem413"];
            414: components["responses"]["Problem414"];
            421: components["responses"]["Problem421"];
            422: components["responses"]["Problem422"];
            429: components["responses"]["Problem429"];
            431: components["responses"]["Problem431"];
            503: components["responses"]["Problem503"];
        };
    };
    give_grant: {
        parameters: {
            query?: never;
            header?: {
                /** @description a new key for each act (a random UUID); a repeat with it within 24 hours has no effect and gets the first answer again */
                "Idempotency-Key"?: string;
            };
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
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            404: components["responses"]["Problem404"];
            405: components["responses"]["Problem405"];
            408: components["responses"]["Problem408"];
            409: components["responses"]["Problem409"];
            413: components["responses"]["Problem413"];
            414: components["responses"]["Problem414"];
            421: components["responses"]["Problem421"];
            422: components["responses"]["Problem422"];
            429: components["responses"]["Problem429"];
            431: components["responses"]["Problem431"];
            503: components["responses"]["Problem503"];
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
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            404: components["responses"]["Problem404"];
            405: components["responses"]["Problem405"];
            408: components["responses"]["Problem408"];
            409: components["responses"]["Problem409"];
            413: components["responses"]["Problem413"];
            414: components["responses"]["Problem414"];
            421: components["responses"]["Problem421"];
            422: components["responses"]["Problem422"];
            429: components["responses"]["Problem429"];
            431: components["responses"]["Problem431"];
            503: components["responses"]["Problem503"];
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
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            404: components["responses"]["Problem404"];
            405: components["responses"]["Problem405"];
            408: components["responses"]["Problem408"];
            409: components["responses"]["Problem409"];
            413: components["responses"]["Problem413"];
            414: components["responses"]["Problem414"];
            421: components["responses"]["Problem421"];
            422: components["responses"]["Problem422"];
            429: components["responses"]["Problem429"];
            431: components["responses"]["Problem431"];
            503: components["responses"]["Problem503"];
        };
    };
    create_group: {
        parameters: {
            query?: never;
            header?: {
                /** @description a new key for each act (a random UUID); a repeat with it within 24 hours has no effect and gets the first answer again */
                "Idempotency-Key"?: string;
            };
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
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            404: components["responses"]["Problem404"];
            405: components["responses"]["Problem405"];
            408: components["responses"]["Problem408"];
            409: components["responses"]["Problem409"];
            413: components["responses"]["Problem413"];
            414: components["responses"]["Problem414"];
            421: components["responses"]["Problem421"];
            422: components["responses"]["Problem422"];
            429: components["responses"]["Problem429"];
            431: components["responses"]["Problem431"];
            503: components["responses"]["Problem503"];
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
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            404: components["responses"]["Problem404"];
            405: components["responses"]["Problem405"];
            408: components["responses"]["Problem408"];
            409: components["responses"]["Problem409"];
            413: components["responses"]["Problem413"];
            414: components["responses"]["Problem414"];
            421: components["responses"]["Problem421"];
            422: components["responses"]["Problem422"];
            429: components["responses"]["Problem429"];
            431: components["responses"]["Problem431"];
            503: components["responses"]["Problem503"];
        };
    };
    list_hosts: {
        parameters: {
            query?: {
                q?: string;
                host?: string[];
                group?: number[];
                platform?: string[];
                os?: string[];
                family?: string[];
                mode?: string[];
                managed?: ("observe" | "remediate")[];
                outcome?: ("fail" | "unknown" | "waived" | "guard_rail" | "pass" | "excluded" | "not_applicable")[];
                drift?: ("standard" | "baseline" | "peers" | "persisted")[];
                freshness?: ("fresh" | "late" | "silent" | "never" | "bundle")[];
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
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            404: components["responses"]["Problem404"];
            405: components["responses"]["Problem405"];
            408: components["responses"]["Problem408"];
            409: components["responses"]["Problem409"];
            413: components["responses"]["Problem413"];
            414: components["responses"]["Problem414"];
            421: components["responses"]["Problem421"];
            422: components["responses"]["Problem422"];
            429: components["responses"]["Problem429"];
            431: components["responses"]["Problem431"];
            503: components["responses"]["Problem503"];
        };
    };
    list_host_facets: {
        parameters: {
            query?: {
                q?: string;
                host?: string[];
                group?: number[];
                platform?: string[];
                os?: string[];
                family?: string[];
                mode?: string[];
                managed?: ("observe" | "remediate")[];
                outcome?: ("fail" | "unknown" | "waived" | "guard_rail" | "pass" | "excluded" | "not_applicable")[];
                drift?: ("standard" | "baseline" | "peers" | "persisted")[];
                freshness?: ("fresh" | "late" | "silent" | "never" | "bundle")[];
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
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            404: components["responses"]["Problem404"];
            405: components["responses"]["Problem405"];
            408: components["responses"]["Problem408"];
            409: components["responses"]["Problem409"];
            413: components["responses"]["Problem413"];
            414: components["responses"]["Problem414"];
            421: components["responses"]["Problem421"];
            422: components["responses"]["Problem422"];
            429: components["responses"]["Problem429"];
            431: components["responses"]["Problem431"];
            503: components["responses"]["Problem503"];
        };
    };
    find_host_clusters: {
        parameters: {
            query: {
                q?: string;
                host?: string[];
                group?: number[];
                platform?: string[];
                os?: string[];
                family?: string[];
                mode?: string[];
                managed?: ("observe" | "remediate")[];
                outcome?: ("fail" | "unknown" | "waived" | "guard_rail" | "pass" | "excluded" | "not_applicable")[];
                drift?: ("standard" | "baseline" | "peers" | "persisted")[];
                freshness?: ("fresh" | "late" | "silent" | "never" | "bundle")[];
                rule?: string[];
                cluster?: string[];
                state?: ("waiting" | "active" | "retired" | "quarantined")[];
                tag?: string[];
                score_below?: number | null;
                changed_hours?: number | null;
                named: string;
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
                    "application/json": components["schemas"]["Facet"];
                };
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            404: components["responses"]["Problem404"];
            405: components["responses"]["Problem405"];
            408: components["responses"]["Problem408"];
            409: components["responses"]["Problem409"];
            413: components["responses"]["Problem413"];
            414: components["responses"]["Problem414"];
            421: components["responses"]["Problem421"];
            422: components["responses"]["Problem422"];
            429: components["responses"]["Problem429"];
            431: components["responses"]["Problem431"];
            503: components["responses"]["Problem503"];
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
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            404: components["responses"]["Problem404"];
            405: components["responses"]["Problem405"];
            408: components["responses"]["Problem408"];
            409: components["responses"]["Problem409"];
            413: components["responses"]["Problem413"];
            414: components["responses"]["Problem414"];
            421: components["responses"]["Problem421"];
            422: components["responses"]["Problem422"];
            429: components["responses"]["Problem429"];
            431: components["responses"]["Problem431"];
            503: components["responses"]["Problem503"];
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
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            404: components["responses"]["Problem404"];
            405: components["responses"]["Problem405"];
            408: components["responses"]["Problem408"];
            409: components["responses"]["Problem409"];
            413: components["responses"]["Problem413"];
            414: components["responses"]["Problem414"];
            421: components["responses"]["Problem421"];
            422: components["responses"]["Problem422"];
            429: components["responses"]["Problem429"];
            431: components["responses"]["Problem431"];
            503: components["responses"]["Problem503"];
        };
    };
    approve_host: {
        parameters: {
            query?: never;
            header?: {
                /** @description a new key for each act (a random UUID); a repeat with it within 24 hours has no effect and gets the first answer again */
                "Idempotency-Key"?: string;
            };
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
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            404: components["responses"]["Problem404"];
            405: components["responses"]["Problem405"];
            408: components["responses"]["Problem408"];
            409: components["responses"]["Problem409"];
            413: components["responses"]["Problem413"];
            414: components["responses"]["Problem414"];
            421: components["responses"]["Problem421"];
            422: components["responses"]["Problem422"];
            429: components["responses"]["Problem429"];
            431: components["responses"]["Problem431"];
            503: components["responses"]["Problem503"];
        };
    };
    read_host_baseline: {
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
                    "application/json": components["schemas"]["HostBaselineOut"];
                };
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            404: components["responses"]["Problem404"];
            405: components["responses"]["Problem405"];
            408: components["responses"]["Problem408"];
            409: components["responses"]["Problem409"];
            413: components["responses"]["Problem413"];
            414: components["responses"]["Problem414"];
            421: components["responses"]["Problem421"];
            422: components["responses"]["Problem422"];
            429: components["responses"]["Problem429"];
            431: components["responses"]["Problem431"];
            503: components["responses"]["Problem503"];
        };
    };
    import_benchmark: {
        parameters: {
            query?: never;
            header?: {
                /** @description a new key for each act (a random UUID); a repeat with it within 24 hours has no effect and gets the first answer again */
                "Idempotency-Key"?: string;
            };
            path: {
                host_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["BenchmarkImport"];
            };
        };
        responses: {
            /** @description Successful Response */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ImportedFile"];
                };
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            404: components["responses"]["Problem404"];
            405: components["responses"]["Problem405"];
            408: components["responses"]["Problem408"];
            409: components["responses"]["Problem409"];
            413: components["responses"]["Problem413"];
            414: components["responses"]["Problem414"];
            421: components["responses"]["Problem421"];
            422: components["responses"]["Problem422"];
            429: components["responses"]["Problem429"];
            431: components["responses"]["Problem431"];
            503: components["responses"]["Problem503"];
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
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            404: components["responses"]["Problem404"];
            405: components["responses"]["Problem405"];
            408: components["responses"]["Problem408"];
            409: components["responses"]["Problem409"];
            413: components["responses"]["Problem413"];
            414: components["responses"]["Problem414"];
            421: components["responses"]["Problem421"];
            422: components["responses"]["Problem422"];
            429: components["responses"]["Problem429"];
            431: components["responses"]["Problem431"];
            503: components["responses"]["Problem503"];
        };
    };
    check_host_now: {
        parameters: {
            query?: never;
            header?: {
                /** @description a new key for each act (a random UUID); a repeat with it within 24 hours has no effect and gets the first answer again */
                "Idempotency-Key"?: string;
            };
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
                    "application/json": components["schemas"]["Done"];
                };
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            404: components["responses"]["Problem404"];
            405: components["responses"]["Problem405"];
            408: components["responses"]["Problem408"];
            409: components["responses"]["Problem409"];
            413: components["responses"]["Problem413"];
            414: components["responses"]["Problem414"];
            421: components["responses"]["Problem421"];
            422: components["responses"]["Problem422"];
            429: components["responses"]["Problem429"];
            431: components["responses"]["Problem431"];
            503: components["responses"]["Problem503"];
        };
    };
    clear_host_alarm: {
        parameters: {
            query?: never;
            header?: {
                /** @description a new key for each act (a random UUID); a repeat with it within 24 hours has no effect and gets the first answer again */
                "Idempotency-Key"?: string;
            };
            path: {
                host_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["HostReason"];
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
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            404: components["responses"]["Problem404"];
            405: components["responses"]["Problem405"];
            408: components["responses"]["Problem408"];
            409: components["responses"]["Problem409"];
            413: components["responses"]["Problem413"];
            414: components["responses"]["Problem414"];
            421: components["responses"]["Problem421"];
            422: components["responses"]["Problem422"];
            429: components["responses"]["Problem429"];
            431: components["responses"]["Problem431"];
            503: components["responses"]["Problem503"];
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
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            404: components["responses"]["Problem404"];
            405: components["responses"]["Problem405"];
            408: components["responses"]["Problem408"];
            409: components["responses"]["Problem409"];
            413: components["responses"]["Problem413"];
            414: components["responses"]["Problem414"];
            421: components["responses"]["Problem421"];
            422: components["responses"]["Problem422"];
            429: components["responses"]["Problem429"];
            431: components["responses"]["Problem431"];
            503: components["responses"]["Problem503"];
        };
    };
    compare_host: {
        parameters: {
            query?: {
                reference?: "host" | "baseline" | "peers" | "best" | "date" | "running" | "bundle";
                other?: string | null;
                at?: string | null;
                assessed?: number | null;
                same?: boolean;
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
                    "application/json": components["schemas"]["HostComparison"];
                };
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            404: components["responses"]["Problem404"];
            405: components["responses"]["Problem405"];
            408: components["responses"]["Problem408"];
            409: components["responses"]["Problem409"];
            413: components["responses"]["Problem413"];
            414: components["responses"]["Problem414"];
            421: components["responses"]["Problem421"];
            422: components["responses"]["Problem422"];
            429: components["responses"]["Problem429"];
            431: components["responses"]["Problem431"];
            503: components["responses"]["Problem503"];
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
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            404: components["responses"]["Problem404"];
            405: components["responses"]["Problem405"];
            408: components["responses"]["Problem408"];
            409: components["responses"]["Problem409"];
            413: components["responses"]["Problem413"];
            414: components["responses"]["Problem414"];
            421: components["responses"]["Problem421"];
            422: components["responses"]["Problem422"];
            429: components["responses"]["Problem429"];
            431: components["responses"]["Problem431"];
            503: components["responses"]["Problem503"];
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
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            404: components["responses"]["Problem404"];
            405: components["responses"]["Problem405"];
            408: components["responses"]["Problem408"];
            409: components["responses"]["Problem409"];
            413: components["responses"]["Problem413"];
            414: components["responses"]["Problem414"];
            421: components["responses"]["Problem421"];
            422: components["responses"]["Problem422"];
            429: components["responses"]["Problem429"];
            431: components["responses"]["Problem431"];
            503: components["responses"]["Problem503"];
        };
    };
    list_gone_subjects: {
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
                    "application/json": components["schemas"]["GoneSubject"][];
                };
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            404: components["responses"]["Problem404"];
            405: components["responses"]["Problem405"];
            408: components["responses"]["Problem408"];
            409: components["responses"]["Problem409"];
            413: components["responses"]["Problem413"];
            414: components["responses"]["Problem414"];
            421: components["responses"]["Problem421"];
            422: components["responses"]["Problem422"];
            429: components["responses"]["Problem429"];
            431: components["responses"]["Problem431"];
            503: components["responses"]["Problem503"];
        };
    };
    hold_host: {
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
                "application/json": components["schemas"]["HoldCreate"];
            };
        };
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Done"];
                };
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            404: components["responses"]["Problem404"];
            405: components["responses"]["Problem405"];
            408: components["responses"]["Problem408"];
            409: components["responses"]["Problem409"];
            413: components["responses"]["Problem413"];
            414: components["responses"]["Problem414"];
            421: components["responses"]["Problem421"];
            422: components["responses"]["Problem422"];
            429: components["responses"]["Problem429"];
            431: components["responses"]["Problem431"];
            503: components["responses"]["Problem503"];
        };
    };
    release_host: {
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
                    "application/json": components["schemas"]["Done"];
                };
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            404: components["responses"]["Problem404"];
            405: components["responses"]["Problem405"];
            408: components["responses"]["Problem408"];
            409: components["responses"]["Problem409"];
            413: components["responses"]["Problem413"];
            414: components["responses"]["Problem414"];
            421: components["responses"]["Problem421"];
            422: components["responses"]["Problem422"];
            429: components["responses"]["Problem429"];
            431: components["responses"]["Problem431"];
            503: components["responses"]["Problem503"];
        };
    };
    merge_hosts: {
        parameters: {
            query?: never;
            header?: {
                /** @description a new key for each act (a random UUID); a repeat with it within 24 hours has no effect and gets the first answer again */
                "Idempotency-Key"?: string;
            };
            path: {
                host_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["HostMerge"];
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
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            404: components["responses"]["Problem404"];
            405: components["responses"]["Problem405"];
            408: components["responses"]["Problem408"];
            409: components["responses"]["Problem409"];
            413: components["responses"]["Problem413"];
            414: components["responses"]["Problem414"];
            421: components["responses"]["Problem421"];
            422: components["responses"]["Problem422"];
            429: components["responses"]["Problem429"];
            431: components["responses"]["Problem431"];
            503: components["responses"]["Problem503"];
        };
    };
    merge_subjects: {
        parameters: {
            query?: never;
            header?: {
                /** @description a new key for each act (a random UUID); a repeat with it within 24 hours has no effect and gets the first answer again */
                "Idempotency-Key"?: string;
            };
            path: {
                host_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["SubjectMerge"];
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
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            404: components["responses"]["Problem404"];
            405: components["responses"]["Problem405"];
            408: components["responses"]["Problem408"];
            409: components["responses"]["Problem409"];
            413: components["responses"]["Problem413"];
            414: components["responses"]["Problem414"];
            421: components["responses"]["Problem421"];
            422: components["responses"]["Problem422"];
            429: components["responses"]["Problem429"];
            431: components["responses"]["Problem431"];
            503: components["responses"]["Problem503"];
        };
    };
    read_host_past: {
        parameters: {
            query: {
                at: string;
                version?: number[];
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
                    "application/json": components["schemas"]["HostPast"];
                };
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            404: components["responses"]["Problem404"];
            405: components["responses"]["Problem405"];
            408: components["responses"]["Problem408"];
            409: components["responses"]["Problem409"];
            413: components["responses"]["Problem413"];
            414: components["responses"]["Problem414"];
            421: components["responses"]["Problem421"];
            422: components["responses"]["Problem422"];
            429: components["responses"]["Problem429"];
            431: components["responses"]["Problem431"];
            503: components["responses"]["Problem503"];
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
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            404: components["responses"]["Problem404"];
            405: components["responses"]["Problem405"];
            408: components["responses"]["Problem408"];
            409: components["responses"]["Problem409"];
            413: components["responses"]["Problem413"];
            414: components["responses"]["Problem414"];
            421: components["responses"]["Problem421"];
            422: components["responses"]["Problem422"];
            429: components["responses"]["Problem429"];
            431: components["responses"]["Problem431"];
            503: components["responses"]["Problem503"];
        };
    };
    list_probes: {
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
                    "application/json": components["schemas"]["ProbeRunOut"][];
                };
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            404: components["responses"]["Problem404"];
            405: components["responses"]["Problem405"];
            408: components["responses"]["Problem408"];
            409: components["responses"]["Problem409"];
            413: components["responses"]["Problem413"];
            414: components["responses"]["Problem414"];
            421: components["responses"]["Problem421"];
            422: components["responses"]["Problem422"];
            429: components["responses"]["Problem429"];
            431: components["responses"]["Problem431"];
            503: components["responses"]["Problem503"];
        };
    };
    run_probes: {
        parameters: {
            query?: never;
            header?: {
                /** @description a new key for each act (a random UUID); a repeat with it within 24 hours has no effect and gets the first answer again */
                "Idempotency-Key"?: string;
            };
            path: {
                host_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ProbeAsk"];
            };
        };
        responses: {
            /** @description Successful Response */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ProbeRunOut"];
                };
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            404: components["responses"]["Problem404"];
            405: components["responses"]["Problem405"];
            408: components["responses"]["Problem408"];
            409: components["responses"]["Problem409"];
            413: components["responses"]["Problem413"];
            414: components["responses"]["Problem414"];
            421: components["responses"]["Problem421"];
            422: components["responses"]["Problem422"];
            429: components["responses"]["Problem429"];
            431: components["responses"]["Problem431"];
            503: components["responses"]["Problem503"];
        };
    };
    quarantine_host: {
        parameters: {
            query?: never;
            header?: {
                /** @description a new key for each act (a random UUID); a repeat with it within 24 hours has no effect and gets the first answer again */
                "Idempotency-Key"?: string;
            };
            path: {
                host_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["HostReason"];
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
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            404: components["responses"]["Problem404"];
            405: components["responses"]["Problem405"];
            408: components["responses"]["Problem408"];
            409: components["responses"]["Problem409"];
            413: components["responses"]["Problem413"];
            414: components["responses"]["Problem414"];
            421: components["responses"]["Problem421"];
            422: components["responses"]["Problem422"];
            429: components["responses"]["Problem429"];
            431: components["responses"]["Problem431"];
            503: components["responses"]["Problem503"];
        };
    };
    read_host_reach: {
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
                    "application/json": components["schemas"]["HostReach"];
                };
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            404: components["responses"]["Problem404"];
            405: components["responses"]["Problem405"];
            408: components["responses"]["Problem408"];
            409: components["responses"]["Problem409"];
            413: components["responses"]["Problem413"];
            414: components["responses"]["Problem414"];
            421: components["responses"]["Problem421"];
            422: components["responses"]["Problem422"];
            429: components["responses"]["Problem429"];
            431: components["responses"]["Problem431"];
            503: components["responses"]["Problem503"];
        };
    };
    release_host_quarantine: {
        parameters: {
            query?: never;
            header?: {
                /** @description a new key for each act (a random UUID); a repeat with it within 24 hours has no effect and gets the first answer again */
                "Idempotency-Key"?: string;
            };
            path: {
                host_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["HostReason"];
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
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            404: components["responses"]["Problem404"];
            405: components["responses"]["Problem405"];
            408: components["responses"]["Problem408"];
            409: components["responses"]["Problem409"];
            413: components["responses"]["Problem413"];
            414: components["responses"]["Problem414"];
            421: components["responses"]["Problem421"];
            422: components["responses"]["Problem422"];
            429: components["responses"]["Problem429"];
            431: components["responses"]["Problem431"];
            503: components["responses"]["Problem503"];
        };
    };
    read_way_to_host: {
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
                    "application/json": components["schemas"]["WayToHost"];
                };
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            404: components["responses"]["Problem404"];
            405: components["responses"]["Problem405"];
            408: components["responses"]["Problem408"];
            409: components["responses"]["Problem409"];
            413: components["responses"]["Problem413"];
            414: components["responses"]["Problem414"];
            421: components["responses"]["Problem421"];
            422: components["responses"]["Problem422"];
            429: components["responses"]["Problem429"];
            431: components["responses"]["Problem431"];
            503: components["responses"]["Problem503"];
        };
    };
    set_way_to_host: {
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
                "application/json": components["schemas"]["WaySet"];
            };
        };
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WayToHost"];
                };
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            404: components["responses"]["Problem404"];
            405: components["responses"]["Problem405"];
            408: components["responses"]["Problem408"];
            409: components["responses"]["Problem409"];
            413: components["responses"]["Problem413"];
            414: components["responses"]["Problem414"];
            421: components["responses"]["Problem421"];
            422: components["responses"]["Problem422"];
            429: components["responses"]["Problem429"];
            431: components["responses"]["Problem431"];
            503: components["responses"]["Problem503"];
        };
    };
    install_runner: {
        parameters: {
            query?: never;
            header?: {
                /** @description a new key for each act (a random UUID); a repeat with it within 24 hours has no effect and gets the first answer again */
                "Idempotency-Key"?: string;
            };
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
                    "application/json": components["schemas"]["WayToHost"];
                };
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            404: components["responses"]["Problem404"];
            405: components["responses"]["Problem405"];
            408: components["responses"]["Problem408"];
            409: components["responses"]["Problem409"];
            413: components["responses"]["Problem413"];
            414: components["responses"]["Problem414"];
            421: components["responses"]["Problem421"];
            422: components["responses"]["Problem422"];
            429: components["responses"]["Problem429"];
            431: components["responses"]["Problem431"];
            503: components["responses"]["Problem503"];
        };
    };
    retire_host: {
        parameters: {
            query?: never;
            header?: {
                /** @description a new key for each act (a random UUID); a repeat with it within 24 hours has no effect and gets the first answer again */
                "Idempotency-Key"?: string;
            };
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
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            404: components["responses"]["Problem404"];
            405: components["responses"]["Problem405"];
            408: components["responses"]["Problem408"];
            409: components["responses"]["Problem409"];
            413: components["responses"]["Problem413"];
            414: components["responses"]["Problem414"];
            421: components["responses"]["Problem421"];
            422: components["responses"]["Problem422"];
            429: components["responses"]["Problem429"];
            431: components["responses"]["Problem431"];
            503: components["responses"]["Problem503"];
        };
    };
    rotate_host_secret: {
        parameters: {
            query?: never;
            header?: {
                /** @description a new key for each act (a random UUID); a repeat with it within 24 hours has no effect and gets the first answer again */
                "Idempotency-Key"?: string;
            };
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
                    "application/json": components["schemas"]["HostRow"];
                };
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            404: components["responses"]["Problem404"];
            405: components["responses"]["Problem405"];
            408: components["responses"]["Problem408"];
            409: components["responses"]["Problem409"];
            413: components["responses"]["Problem413"];
            414: components["responses"]["Problem414"];
            421: components["responses"]["Problem421"];
            422: components["responses"]["Problem422"];
            429: components["responses"]["Problem429"];
            431: components["responses"]["Problem431"];
            503: components["responses"]["Problem503"];
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
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            404: components["responses"]["Problem404"];
            405: components["responses"]["Problem405"];
            408: components["responses"]["Problem408"];
            409: components["responses"]["Problem409"];
            413: components["responses"]["Problem413"];
            414: components["responses"]["Problem414"];
            421: components["responses"]["Problem421"];
            422: components["responses"]["Problem422"];
            429: components["responses"]["Problem429"];
            431: components["responses"]["Problem431"];
            503: components["responses"]["Problem503"];
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
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            404: components["responses"]["Problem404"];
            405: components["responses"]["Problem405"];
            408: components["responses"]["Problem408"];
            409: components["responses"]["Problem409"];
            413: components["responses"]["Problem413"];
            414: components["responses"]["Problem414"];
            421: components["responses"]["Problem421"];
            422: components["responses"]["Problem422"];
            429: components["responses"]["Problem429"];
            431: components["responses"]["Problem431"];
            503: components["responses"]["Problem503"];
        };
    };
    read_host_timeline: {
        parameters: {
            query?: {
                hours?: number | null;
                from?: string | null;
                to?: string | null;
                unread?: boolean;
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
                    "application/json": components["schemas"]["HostTimeline"];
                };
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            404: components["responses"]["Problem404"];
            405: components["responses"]["Problem405"];
            408: components["responses"]["Problem408"];
            409: components["responses"]["Problem409"];
            413: components["responses"]["Problem413"];
            414: components["responses"]["Problem414"];
            421: components["responses"]["Problem421"];
            422: components["responses"]["Problem422"];
            429: components["responses"]["Problem429"];
            431: components["responses"]["Problem431"];
            503: components["responses"]["Problem503"];
        };
    };
    list_host_watches: {
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
                    "application/json": components["schemas"]["HostWatches"];
                };
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            404: components["responses"]["Problem404"];
            405: components["responses"]["Problem405"];
            408: components["responses"]["Problem408"];
            409: components["responses"]["Problem409"];
            413: components["responses"]["Problem413"];
            414: components["responses"]["Problem414"];
            421: components["responses"]["Problem421"];
            422: components["responses"]["Problem422"];
            429: components["responses"]["Problem429"];
            431: components["responses"]["Problem431"];
            503: components["responses"]["Problem503"];
        };
    };
    start_watch: {
        parameters: {
            query?: never;
            header?: {
                /** @description a new key for each act (a random UUID); a repeat with it within 24 hours has no effect and gets the first answer again */
                "Idempotency-Key"?: string;
            };
            path: {
                host_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["WatchCreate"];
            };
        };
        responses: {
            /** @description Successful Response */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WatchOut"];
                };
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            404: components["responses"]["Problem404"];
            405: components["responses"]["Problem405"];
            408: components["responses"]["Problem408"];
            409: components["responses"]["Problem409"];
            413: components["responses"]["Problem413"];
            414: components["responses"]["Problem414"];
            421: components["responses"]["Problem421"];
            422: components["responses"]["Problem422"];
            429: components["responses"]["Problem429"];
            431: components["responses"]["Problem431"];
            503: components["responses"]["Problem503"];
        };
    };
    list_jobs: {
        parameters: {
            query?: {
                /** @description the number that the page before ended with */
                after?: number | null;
                limit?: number;
                state?: string[];
                host?: string | null;
                plan?: number | null;
                is_open?: boolean | null;
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
                    "application/json": components["schemas"]["JobPage"];
                };
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            404: components["responses"]["Problem404"];
            405: components["responses"]["Problem405"];
            408: components["responses"]["Problem408"];
            409: components["responses"]["Problem409"];
            413: components["responses"]["Problem413"];
            414: components["responses"]["Problem414"];
            421: components["responses"]["Problem421"];
            422: components["responses"]["Problem422"];
            429: components["responses"]["Problem429"];
            431: components["responses"]["Problem431"];
            503: components["responses"]["Problem503"];
        };
    };
    read_job: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                job_id: number;
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
                    "application/json": components["schemas"]["JobDetail"];
                };
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            404: components["responses"]["Problem404"];
            405: components["responses"]["Problem405"];
            408: components["responses"]["Problem408"];
            409: components["responses"]["Problem409"];
            413: components["responses"]["Problem413"];
            414: components["responses"]["Problem414"];
            421: components["responses"]["Problem421"];
            422: components["responses"]["Problem422"];
            429: components["responses"]["Problem429"];
            431: components["responses"]["Problem431"];
            503: components["responses"]["Problem503"];
        };
    };
    cancel_job: {
        parameters: {
            query?: never;
            header?: {
                /** @description a new key for each act (a random UUID); a repeat with it within 24 hours has no effect and gets the first answer again */
                "Idempotency-Key"?: string;
            };
            path: {
                job_id: number;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["Reason"];
            };
        };
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["JobDetail"];
                };
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            404: components["responses"]["Problem404"];
            405: components["responses"]["Problem405"];
            408: components["responses"]["Problem408"];
            409: components["responses"]["Problem409"];
            413: components["responses"]["Problem413"];
            414: components["responses"]["Problem414"];
            421: components["responses"]["Problem421"];
            422: components["responses"]["Problem422"];
            429: components["responses"]["Problem429"];
            431: components["responses"]["Problem431"];
            503: components["responses"]["Problem503"];
        };
    };
    read_job_effect: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                job_id: number;
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
                    "application/json": components["schemas"]["JobEffect"];
                };
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            404: components["responses"]["Problem404"];
            405: components["responses"]["Problem405"];
            408: components["responses"]["Problem408"];
            409: components["responses"]["Problem409"];
            413: components["responses"]["Problem413"];
            414: components["responses"]["Problem414"];
            421: components["responses"]["Problem421"];
            422: components["responses"]["Problem422"];
            429: components["responses"]["Problem429"];
            431: components["responses"]["Problem431"];
            503: components["responses"]["Problem503"];
        };
    };
    list_job_events: {
        parameters: {
            query?: {
                after?: number;
            };
            header?: never;
            path: {
                job_id: number;
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
                    "application/json": components["schemas"]["JobEvents"];
                };
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            404: components["responses"]["Problem404"];
            405: components["responses"]["Problem405"];
            408: components["responses"]["Problem408"];
            409: components["responses"]["Problem409"];
            413: components["responses"]["Problem413"];
            414: components["responses"]["Problem414"];
            421: components["responses"]["Problem421"];
            422: components["responses"]["Problem422"];
            429: components["responses"]["Problem429"];
            431: components["responses"]["Problem431"];
            503: components["responses"]["Problem503"];
        };
    };
    resolve_job: {
        parameters: {
            query?: never;
            header?: {
                /** @description a new key for each act (a random UUID); a repeat with it within 24 hours has no effect and gets the first answer again */
                "Idempotency-Key"?: string;
            };
            path: {
                job_id: number;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["Resolve"];
            };
        };
        responses: {
            /** @description Successful Response */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["JobDetail"];
                };
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            404: components["responses"]["Problem404"];
            405: components["responses"]["Problem405"];
            408: components["responses"]["Problem408"];
            409: components["responses"]["Problem409"];
            413: components["responses"]["Problem413"];
            414: components["responses"]["Problem414"];
            421: components["responses"]["Problem421"];
            422: components["responses"]["Problem422"];
            429: components["responses"]["Problem429"];
            431: components["responses"]["Problem431"];
            503: components["responses"]["Problem503"];
        };
    };
    follow_job: {
        parameters: {
            query?: never;
            header?: {
                "last-event-id"?: string | null;
            };
            path: {
                job_id: number;
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
                    "text/event-stream": unknown;
                };
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            404: components["responses"]["Problem404"];
            405: components["responses"]["Problem405"];
            408: components["responses"]["Problem408"];
            409: components["responses"]["Problem409"];
            413: components["responses"]["Problem413"];
            414: components["responses"]["Problem414"];
            421: components["responses"]["Problem421"];
            422: components["responses"]["Problem422"];
            429: components["responses"]["Problem429"];
            431: components["responses"]["Problem431"];
            503: components["responses"]["Problem503"];
        };
    };
    undo_job: {
        parameters: {
            query?: never;
            header?: {
                /** @description a new key for each act (a random UUID); a repeat with it within 24 hours has no effect and gets the first answer again */
                "Idempotency-Key"?: string;
            };
            path: {
                job_id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Successful Response */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["JobDetail"];
                };
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            404: components["responses"]["Problem404"];
            405: components["responses"]["Problem405"];
            408: components["responses"]["Problem408"];
            409: components["responses"]["Problem409"];
            413: components["responses"]["Problem413"];
            414: components["responses"]["Problem414"];
            421: components["responses"]["Problem421"];
            422: components["responses"]["Problem422"];
            429: components["responses"]["Problem429"];
            431: components["responses"]["Problem431"];
            503: components["responses"]["Problem503"];
        };
    };
    list_judging_runs: {
        parameters: {
            query?: {
                kind?: "preview" | "past";
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
                    "application/json": components["schemas"]["PreviewRunOut"][];
                };
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            404: components["responses"]["Problem404"];
            405: components["responses"]["Problem405"];
            408: components["responses"]["Problem408"];
            409: components["responses"]["Problem409"];
            413: components["responses"]["Problem413"];
            414: components["responses"]["Problem414"];
            421: components["responses"]["Problem421"];
            422: components["responses"]["Problem422"];
            429: components["responses"]["Problem429"];
            431: components["responses"]["Problem431"];
            503: components["responses"]["Problem503"];
        };
    };
    read_judging_run: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                run_id: number;
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
                    "application/json": components["schemas"]["PreviewRunOut"];
                };
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            404: components["responses"]["Problem404"];
            405: components["responses"]["Problem405"];
            408: components["responses"]["Problem408"];
            409: components["responses"]["Problem409"];
            413: components["responses"]["Problem413"];
            414: components["responses"]["Problem414"];
            421: components["responses"]["Problem421"];
            422: components["responses"]["Problem422"];
            429: components["responses"]["Problem429"];
            431: components["responses"]["Problem431"];
            503: components["responses"]["Problem503"];
        };
    };
    list_judging_run_hosts: {
        parameters: {
            query?: {
                after?: string | null;
                limit?: number;
            };
            header?: never;
            path: {
                run_id: number;
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
                    "application/json": components["schemas"]["RunHostPage"];
                };
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            404: components["responses"]["Problem404"];
            405: components["responses"]["Problem405"];
            408: components["responses"]["Problem408"];
            409: components["responses"]["Problem409"];
            413: components["responses"]["Problem413"];
            414: components["responses"]["Problem414"];
            421: components["responses"]["Problem421"];
            422: components["responses"]["Problem422"];
            429: components["responses"]["Problem429"];
            431: components["responses"]["Problem431"];
            503: components["responses"]["Problem503"];
        };
    };
    read_lab: {
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
                    "application/json": components["schemas"]["LabOut"];
                };
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            404: components["responses"]["Problem404"];
            405: components["responses"]["Problem405"];
            408: components["responses"]["Problem408"];
            409: components["responses"]["Problem409"];
            413: components["responses"]["Problem413"];
            414: components["responses"]["Problem414"];
            421: components["responses"]["Problem421"];
            422: components["responses"]["Problem422"];
            429: components["responses"]["Problem429"];
            431: components["responses"]["Problem431"];
            503: components["responses"]["Problem503"];
        };
    };
    remove_lab: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
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
                    "application/json": components["schemas"]["LabRemoval"];
                };
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            404: components["responses"]["Problem404"];
            405: components["responses"]["Problem405"];
            408: components["responses"]["Problem408"];
            409: components["responses"]["Problem409"];
            413: components["responses"]["Problem413"];
            414: components["responses"]["Problem414"];
            421: components["responses"]["Problem421"];
            422: components["responses"]["Problem422"];
            429: components["responses"]["Problem429"];
            431: components["responses"]["Problem431"];
            503: components["responses"]["Problem503"];
        };
    };
    read_matrix: {
        parameters: {
            query?: {
                group?: number | null;
                cluster?: string;
                by?: ("cluster" | "group") | null;
                pack?: string[];
                rules?: "failing" | "all";
                hosts?: boolean;
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
                    "application/json": components["schemas"]["Matrix"];
                };
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            404: components["responses"]["Problem404"];
            405: components["responses"]["Problem405"];
            408: components["responses"]["Problem408"];
            409: components["responses"]["Problem409"];
            413: components["responses"]["Problem413"];
            414: components["responses"]["Problem414"];
            421: components["responses"]["Problem421"];
            422: components["responses"]["Problem422"];
            429: components["responses"]["Problem429"];
            431: components["responses"]["Problem431"];
            503: components["responses"]["Problem503"];
        };
    };
    list_notices: {
        parameters: {
            query?: {
                before?: number | null;
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
                    "application/json": components["schemas"]["NoticePage"];
                };
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            404: components["responses"]["Problem404"];
            405: components["responses"]["Problem405"];
            408: components["responses"]["Problem408"];
            409: components["responses"]["Problem409"];
            413: components["responses"]["Problem413"];
            414: components["responses"]["Problem414"];
            421: components["responses"]["Problem421"];
            422: components["responses"]["Problem422"];
            429: components["responses"]["Problem429"];
            431: components["responses"]["Problem431"];
            503: components["responses"]["Problem503"];
        };
    };
    list_notice_channels: {
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
                    "application/json": components["schemas"]["ChannelList"];
                };
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            404: components["responses"]["Problem404"];
            405: components["responses"]["Problem405"];
            408: components["responses"]["Problem408"];
            409: components["responses"]["Problem409"];
            413: components["responses"]["Problem413"];
            414: components["responses"]["Problem414"];
            421: components["responses"]["Problem421"];
            422: components["responses"]["Problem422"];
            429: components["responses"]["Problem429"];
            431: components["responses"]["Problem431"];
            503: components["responses"]["Problem503"];
        };
    };
    make_notice_channel: {
        parameters: {
            query?: never;
            header?: {
                /** @description a new key for each act (a random UUID); a repeat with it within 24 hours has no effect and gets the first answer again */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ChannelCreate"];
            };
        };
        responses: {
            /** @description Successful Response */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ChannelMade"];
                };
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            404: components["responses"]["Problem404"];
            405: components["responses"]["Problem405"];
            408: components["responses"]["Problem408"];
            409: components["responses"]["Problem409"];
            413: components["responses"]["Problem413"];
            414: components["responses"]["Problem414"];
            421: components["responses"]["Problem421"];
            422: components["responses"]["Problem422"];
            429: components["responses"]["Problem429"];
            431: components["responses"]["Problem431"];
            503: components["responses"]["Problem503"];
        };
    };
    remove_notice_channel: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                channel_id: number;
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
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            404: components["responses"]["Problem404"];
            405: components["responses"]["Problem405"];
            408: components["responses"]["Problem408"];
            409: components["responses"]["Problem409"];
            413: components["responses"]["Problem413"];
            414: components["responses"]["Problem414"];
            421: components["responses"]["Problem421"];
            422: components["responses"]["Problem422"];
            429: components["responses"]["Problem429"];
            431: components["responses"]["Problem431"];
            503: components["responses"]["Problem503"];
        };
    };
    change_notice_channel: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                channel_id: number;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ChannelUpdate"];
            };
        };
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ChannelOut"];
                };
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            404: components["responses"]["Problem404"];
            405: components["responses"]["Problem405"];
            408: components["responses"]["Problem408"];
            409: components["responses"]["Problem409"];
            413: components["responses"]["Problem413"];
            414: components["responses"]["Problem414"];
            421: components["responses"]["Problem421"];
            422: components["responses"]["Problem422"];
            429: components["responses"]["Problem429"];
            431: components["responses"]["Problem431"];
            503: components["responses"]["Problem503"];
        };
    };
    rotate_notice_channel_secret: {
        parameters: {
            query?: never;
            header?: {
                /** @description a new key for each act (a random UUID); a repeat with it within 24 hours has no effect and gets the first answer again */
                "Idempotency-Key"?: string;
            };
            path: {
                channel_id: number;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["SecretRotate"];
            };
        };
        responses: {
            /** @description Successful Response */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ChannelMade"];
                };
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            404: components["responses"]["Problem404"];
            405: components["responses"]["Problem405"];
            408: components["responses"]["Problem408"];
            409: components["responses"]["Problem409"];
            413: components["responses"]["Problem413"];
            414: components["responses"]["Problem414"];
            421: components["responses"]["Problem421"];
            422: components["responses"]["Problem422"];
            429: components["responses"]["Problem429"];
            431: components["responses"]["Problem431"];
            503: components["responses"]["Problem503"];
        };
    };
    try_notice_channel: {
        parameters: {
            query?: never;
            header?: {
                /** @description a new key for each act (a random UUID); a repeat with it within 24 hours has no effect and gets the first answer again */
                "Idempotency-Key"?: string;
            };
            path: {
                channel_id: number;
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
                    "application/json": components["schemas"]["NoticeOut"];
                };
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            404: components["responses"]["Problem404"];
            405: components["responses"]["Problem405"];
            408: components["responses"]["Problem408"];
            409: components["responses"]["Problem409"];
            413: components["responses"]["Problem413"];
            414: components["responses"]["Problem414"];
            421: components["responses"]["Problem421"];
            422: components["responses"]["Problem422"];
            429: components["responses"]["Problem429"];
            431: components["responses"]["Problem431"];
            503: components["responses"]["Problem503"];
        };
    };
    replay_notice_delivery: {
        parameters: {
            query?: never;
            header?: {
                /** @description a new key for each act (a random UUID); a repeat with it within 24 hours has no effect and gets the first answer again */
                "Idempotency-Key"?: string;
            };
            path: {
                delivery_id: string;
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
                    "application/json": components["schemas"]["NoticeOut"];
                };
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            404: components["responses"]["Problem404"];
            405: components["responses"]["Problem405"];
            408: components["responses"]["Problem408"];
            409: components["responses"]["Problem409"];
            413: components["responses"]["Problem413"];
            414: components["responses"]["Problem414"];
            421: components["responses"]["Problem421"];
            422: components["responses"]["Problem422"];
            429: components["responses"]["Problem429"];
            431: components["responses"]["Problem431"];
            503: components["responses"]["Problem503"];
        };
    };
    read_notice: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                notice_id: number;
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
                    "application/json": components["schemas"]["NoticeOut"];
                };
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            404: components["responses"]["Problem404"];
            405: components["responses"]["Problem405"];
            408: components["responses"]["Problem408"];
            409: components["responses"]["Problem409"];
            413: components["responses"]["Problem413"];
            414: components["responses"]["Problem414"];
            421: components["responses"]["Problem421"];
            422: components["responses"]["Problem422"];
            429: components["responses"]["Problem429"];
            431: components["responses"]["Problem431"];
            503: components["responses"]["Problem503"];
        };
    };
    read_on_call: {
        parameters: {
            query?: {
                group?: number | null;
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
                    "application/json": components["schemas"]["OnCall"];
                };
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            404: components["responses"]["Problem404"];
            405: components["responses"]["Problem405"];
            408: components["responses"]["Problem408"];
            409: components["responses"]["Problem409"];
            413: components["responses"]["Problem413"];
            414: components["responses"]["Problem414"];
            421: components["responses"]["Problem421"];
            422: components["responses"]["Problem422"];
            429: components["responses"]["Problem429"];
            431: components["responses"]["Problem431"];
            503: components["responses"]["Problem503"];
        };
    };
    acknowledge_problem: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description kind and host, as in `key` */
                problem: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["Acknowledge"];
            };
        };
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ProblemNoteOut"];
                };
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            404: components["responses"]["Problem404"];
            405: components["responses"]["Problem405"];
            408: components["responses"]["Problem408"];
            409: components["responses"]["Problem409"];
            413: components["responses"]["Problem413"];
            414: components["responses"]["Problem414"];
            421: components["responses"]["Problem421"];
            422: components["responses"]["Problem422"];
            429: components["responses"]["Problem429"];
            431: components["responses"]["Problem431"];
            503: components["responses"]["Problem503"];
        };
    };
    release_problem: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description kind and host, as in `key` */
                problem: string;
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
                    "application/json": components["schemas"]["Done"];
                };
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            404: components["responses"]["Problem404"];
            405: components["responses"]["Problem405"];
            408: components["responses"]["Problem408"];
            409: components["responses"]["Problem409"];
            413: components["responses"]["Problem413"];
            414: components["responses"]["Problem414"];
            421: components["responses"]["Problem421"];
            422: components["responses"]["Problem422"];
            429: components["responses"]["Problem429"];
            431: components["responses"]["Problem431"];
            503: components["responses"]["Problem503"];
        };
    };
    snooze_problem: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description kind and host, as in `key` */
                problem: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["Snooze"];
            };
        };
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ProblemNoteOut"];
                };
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            404: components["responses"]["Problem404"];
            405: components["responses"]["Problem405"];
            408: components["responses"]["Problem408"];
            409: components["responses"]["Problem409"];
            413: components["responses"]["Problem413"];
            414: components["responses"]["Problem414"];
            421: components["responses"]["Problem421"];
            422: components["responses"]["Problem422"];
            429: components["responses"]["Problem429"];
            431: components["responses"]["Problem431"];
            503: components["responses"]["Problem503"];
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
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            404: components["responses"]["Problem404"];
            405: components["responses"]["Problem405"];
            408: components["responses"]["Problem408"];
            409: components["responses"]["Problem409"];
            413: components["responses"]["Problem413"];
            414: components["responses"]["Problem414"];
            421: components["responses"]["Problem421"];
            422: components["responses"]["Problem422"];
            429: components["responses"]["Problem429"];
            431: components["responses"]["Problem431"];
            503: components["responses"]["Problem503"];
        };
    };
    list_pack_drafts: {
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
                    "application/json": components["schemas"]["DraftOut"][];
                };
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            404: components["responses"]["Problem404"];
            405: components["responses"]["Problem405"];
            408: components["responses"]["Problem408"];
            409: components["responses"]["Problem409"];
            413: components["responses"]["Problem413"];
            414: components["responses"]["Problem414"];
            421: components["responses"]["Problem421"];
            422: components["responses"]["Problem422"];
            429: components["responses"]["Problem429"];
            431: components["responses"]["Problem431"];
            503: components["responses"]["Problem503"];
        };
    };
    upload_pack_archive: {
        parameters: {
            query?: {
                source?: string;
            };
            header?: {
                /** @description a new key for each act (a random UUID); a repeat with it within 24 hours has no effect and gets the first answer again */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/zip": string;
            };
        };
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UploadResult"];
                };
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            404: components["responses"]["Problem404"];
            405: components["responses"]["Problem405"];
            408: components["responses"]["Problem408"];
            409: components["responses"]["Problem409"];
            413: components["responses"]["Problem413"];
            414: components["responses"]["Problem414"];
            421: components["responses"]["Problem421"];
            422: components["responses"]["Problem422"];
            429: components["responses"]["Problem429"];
            431: components["responses"]["Problem431"];
            503: components["responses"]["Problem503"];
        };
    };
    upload_pack_files: {
        parameters: {
            query?: {
                source?: string;
            };
            header?: {
                /** @description a new key for each act (a random UUID); a repeat with it within 24 hours has no effect and gets the first answer again */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["UploadFiles"];
            };
        };
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UploadResult"];
                };
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            404: components["responses"]["Problem404"];
            405: components["responses"]["Problem405"];
            408: components["responses"]["Problem408"];
            409: components["responses"]["Problem409"];
            413: components["responses"]["Problem413"];
            414: components["responses"]["Problem414"];
            421: components["responses"]["Problem421"];
            422: components["responses"]["Problem422"];
            429: components["responses"]["Problem429"];
            431: components["responses"]["Problem431"];
            503: components["responses"]["Problem503"];
        };
    };
    read_pack_draft: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                draft_id: number;
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
                    "application/json": components["schemas"]["DraftOut"];
                };
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            404: components["responses"]["Problem404"];
            405: components["responses"]["Problem405"];
            408: components["responses"]["Problem408"];
            409: components["responses"]["Problem409"];
            413: components["responses"]["Problem413"];
            414: components["responses"]["Problem414"];
            421: components["responses"]["Problem421"];
            422: components["responses"]["Problem422"];
            429: components["responses"]["Problem429"];
            431: components["responses"]["Problem431"];
            503: components["responses"]["Problem503"];
        };
    };
    discard_pack_draft: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                draft_id: number;
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
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            404: components["responses"]["Problem404"];
            405: components["responses"]["Problem405"];
            408: components["responses"]["Problem408"];
            409: components["responses"]["Problem409"];
            413: components["responses"]["Problem413"];
            414: components["responses"]["Problem414"];
            421: components["responses"]["Problem421"];
            422: components["responses"]["Problem422"];
            429: components["responses"]["Problem429"];
            431: components["responses"]["Problem431"];
            503: components["responses"]["Problem503"];
        };
    };
    publish_pack_draft: {
        parameters: {
            query?: never;
            header?: {
                /** @description a new key for each act (a random UUID); a repeat with it within 24 hours has no effect and gets the first answer again */
                "Idempotency-Key"?: string;
            };
            path: {
                draft_id: number;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["PublishDraft"];
            };
        };
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DraftOut"];
                };
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            404: components["responses"]["Problem404"];
            405: components["responses"]["Problem405"];
            408: components["responses"]["Problem408"];
            409: components["responses"]["Problem409"];
            413: components["responses"]["Problem413"];
            414: components["responses"]["Problem414"];
            421: components["responses"]["Problem421"];
            422: components["responses"]["Problem422"];
            429: components["responses"]["Problem429"];
            431: components["responses"]["Problem431"];
            503: components["responses"]["Problem503"];
        };
    };
    list_packs: {
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
                    "application/json": components["schemas"]["PackList"];
                };
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            404: components["responses"]["Problem404"];
            405: components["responses"]["Problem405"];
            408: components["responses"]["Problem408"];
            409: components["responses"]["Problem409"];
            413: components["responses"]["Problem413"];
            414: components["responses"]["Problem414"];
            421: components["responses"]["Problem421"];
            422: components["responses"]["Problem422"];
            429: components["responses"]["Problem429"];
            431: components["responses"]["Problem431"];
            503: components["responses"]["Problem503"];
        };
    };
    read_pack: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                pack: string;
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
                    "application/json": components["schemas"]["PackDetail"];
                };
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            404: components["responses"]["Problem404"];
            405: components["responses"]["Problem405"];
            408: components["responses"]["Problem408"];
            409: components["responses"]["Problem409"];
            413: components["responses"]["Problem413"];
            414: components["responses"]["Problem414"];
            421: components["responses"]["Problem421"];
            422: components["responses"]["Problem422"];
            429: components["responses"]["Problem429"];
            431: components["responses"]["Problem431"];
            503: components["responses"]["Problem503"];
        };
    };
    activate_pack: {
        parameters: {
            query?: never;
            header?: {
                /** @description a new key for each act (a random UUID); a repeat with it within 24 hours has no effect and gets the first answer again */
                "Idempotency-Key"?: string;
            };
            path: {
                pack: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["Activation"];
            };
        };
        responses: {
            /** @description Successful Response */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PackDetail"];
                };
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            404: components["responses"]["Problem404"];
            405: components["responses"]["Problem405"];
            408: components["responses"]["Problem408"];
            409: components["responses"]["Problem409"];
            413: components["responses"]["Problem413"];
            414: components["responses"]["Problem414"];
            421: components["responses"]["Problem421"];
            422: components["responses"]["Problem422"];
            429: components["responses"]["Problem429"];
            431: components["responses"]["Problem431"];
            503: components["responses"]["Problem503"];
        };
    };
    read_packs_beside: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                pack: string;
                other: string;
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
                    "application/json": components["schemas"]["PacksSideBySide"];
                };
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            404: components["responses"]["Problem404"];
            405: components["responses"]["Problem405"];
            408: components["responses"]["Problem408"];
            409: components["responses"]["Problem409"];
            413: components["responses"]["Problem413"];
            414: components["responses"]["Problem414"];
            421: components["responses"]["Problem421"];
            422: components["responses"]["Problem422"];
            429: components["responses"]["Problem429"];
            431: components["responses"]["Problem431"];
            503: components["responses"]["Problem503"];
        };
    };
    read_pack_difference: {
        parameters: {
            query?: {
                old?: number | null;
                new?: number | null;
                draft?: number | null;
            };
            header?: never;
            path: {
                pack: string;
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
                    "application/json": components["schemas"]["PackDifference"];
                };
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            404: components["responses"]["Problem404"];
            405: components["responses"]["Problem405"];
            408: components["responses"]["Problem408"];
            409: components["responses"]["Problem409"];
            413: components["responses"]["Problem413"];
            414: components["responses"]["Problem414"];
            421: components["responses"]["Problem421"];
            422: components["responses"]["Problem422"];
            429: components["responses"]["Problem429"];
            431: components["responses"]["Problem431"];
            503: components["responses"]["Problem503"];
        };
    };
    request_past_run: {
        parameters: {
            query?: never;
            header?: {
                /** @description a new key for each act (a random UUID); a repeat with it within 24 hours has no effect and gets the first answer again */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["PastCreate"];
            };
        };
        responses: {
            /** @description Successful Response */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PreviewRunOut"];
                };
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            404: components["responses"]["Problem404"];
            405: components["responses"]["Problem405"];
            408: components["responses"]["Problem408"];
            409: components["responses"]["Problem409"];
            413: components["responses"]["Problem413"];
            414: components["responses"]["Problem414"];
            421: components["responses"]["Problem421"];
            422: components["responses"]["Problem422"];
            429: components["responses"]["Problem429"];
            431: components["responses"]["Problem431"];
            503: components["responses"]["Problem503"];
        };
    };
    list_pending_effects: {
        parameters: {
            query?: {
                host_id?: string | null;
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
                    "application/json": components["schemas"]["PendingEffect"][];
                };
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            404: components["responses"]["Problem404"];
            405: components["responses"]["Problem405"];
            408: components["responses"]["Problem408"];
            409: components["responses"]["Problem409"];
            413: components["responses"]["Problem413"];
            414: components["responses"]["Problem414"];
            421: components["responses"]["Problem421"];
            422: components["responses"]["Problem422"];
            429: components["responses"]["Problem429"];
            431: components["responses"]["Problem431"];
            503: components["responses"]["Problem503"];
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
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            404: components["responses"]["Problem404"];
            405: components["responses"]["Problem405"];
            408: components["responses"]["Problem408"];
            409: components["responses"]["Problem409"];
            413: components["responses"]["Problem413"];
            414: components["responses"]["Problem414"];
            421: components["responses"]["Problem421"];
            422: components["responses"]["Problem422"];
            429: components["responses"]["Problem429"];
            431: components["responses"]["Problem431"];
            503: components["responses"]["Problem503"];
        };
    };
    create_person: {
        parameters: {
            query?: never;
            header?: {
                /** @description a new key for each act (a random UUID); a repeat with it within 24 hours has no effect and gets the first answer again */
                "Idempotency-Key"?: string;
            };
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
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            404: components["responses"]["Problem404"];
            405: components["responses"]["Problem405"];
            408: components["responses"]["Problem408"];
            409: components["responses"]["Problem409"];
            413: components["responses"]["Problem413"];
            414: components["responses"]["Problem414"];
            421: components["responses"]["Problem421"];
            422: components["responses"]["Problem422"];
            429: components["responses"]["Problem429"];
            431: components["responses"]["Problem431"];
            503: components["responses"]["Problem503"];
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
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            404: components["responses"]["Problem404"];
            405: components["responses"]["Problem405"];
            408: components["responses"]["Problem408"];
            409: components["responses"]["Problem409"];
            413: components["responses"]["Problem413"];
            414: components["responses"]["Problem414"];
            421: components["responses"]["Problem421"];
            422: components["responses"]["Problem422"];
            429: components["responses"]["Problem429"];
            431: components["responses"]["Problem431"];
            503: components["responses"]["Problem503"];
        };
    };
    reset_second_factors: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                person_id: number;
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
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            404: components["responses"]["Problem404"];
            405: components["responses"]["Problem405"];
            408: components["responses"]["Problem408"];
            409: components["responses"]["Problem409"];
            413: components["responses"]["Problem413"];
            414: components["responses"]["Problem414"];
            421: components["responses"]["Problem421"];
            422: components["responses"]["Problem422"];
            429: components["responses"]["Problem429"];
            431: components["responses"]["Problem431"];
            503: components["responses"]["Problem503"];
        };
    };
    read_charts: {
        parameters: {
            query?: {
                host?: string[];
                series?: string[];
                hours?: number;
                from?: string | null;
                to?: string | null;
                compare?: string;
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
                    "application/json": components["schemas"]["Charts"];
                };
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            404: components["responses"]["Problem404"];
            405: components["responses"]["Problem405"];
            408: components["responses"]["Problem408"];
            409: components["responses"]["Problem409"];
            413: components["responses"]["Problem413"];
            414: components["responses"]["Problem414"];
            421: components["responses"]["Problem421"];
            422: components["responses"]["Problem422"];
            429: components["responses"]["Problem429"];
            431: components["responses"]["Problem431"];
            503: components["responses"]["Problem503"];
        };
    };
    read_detector_test: {
        parameters: {
            query?: {
                group?: number | null;
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
                    "application/json": components["schemas"]["DetectorTest"];
                };
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            404: components["responses"]["Problem404"];
            405: components["responses"]["Problem405"];
            408: components["responses"]["Problem408"];
            409: components["responses"]["Problem409"];
            413: components["responses"]["Problem413"];
            414: components["responses"]["Problem414"];
            421: components["responses"]["Problem421"];
            422: components["responses"]["Problem422"];
            429: components["responses"]["Problem429"];
            431: components["responses"]["Problem431"];
            503: components["responses"]["Problem503"];
        };
    };
    read_fleet_charts: {
        parameters: {
            query?: {
                by?: "cluster" | "group" | "host";
                group?: number | null;
                cluster?: string | null;
                hours?: number;
                sort?: "wrong" | "retransmits" | "drops" | "errors" | "pauses" | "latency" | "throughput" | "operations" | "cpu" | "name";
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
                    "application/json": components["schemas"]["FleetCharts"];
                };
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            404: components["responses"]["Problem404"];
            405: components["responses"]["Problem405"];
            408: components["responses"]["Problem408"];
            409: components["responses"]["Problem409"];
            413: components["responses"]["Problem413"];
            414: components["responses"]["Problem414"];
            421: components["responses"]["Problem421"];
            422: components["responses"]["Problem422"];
            429: components["responses"]["Problem429"];
            431: components["responses"]["Problem431"];
            503: components["responses"]["Problem503"];
        };
    };
    list_plans: {
        parameters: {
            query?: {
                state?: string[];
                mine?: boolean;
                /** @description the number that the page before ended with */
                after?: number | null;
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
                    "application/json": components["schemas"]["PlanPage"];
                };
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            404: components["responses"]["Problem404"];
            405: components["responses"]["Problem405"];
            408: components["responses"]["Problem408"];
            409: components["responses"]["Problem409"];
            413: components["responses"]["Problem413"];
            414: components["responses"]["Problem414"];
            421: components["responses"]["Problem421"];
            422: components["responses"]["Problem422"];
            429: components["responses"]["Problem429"];
            431: components["responses"]["Problem431"];
            503: components["responses"]["Problem503"];
        };
    };
    create_plan: {
        parameters: {
            query?: never;
            header?: {
                /** @description a new key for each act (a random UUID); a repeat with it within 24 hours has no effect and gets the first answer again */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["PlanCreate"];
            };
        };
        responses: {
            /** @description Successful Response */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PlanDetail"];
                };
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            404: components["responses"]["Problem404"];
            405: components["responses"]["Problem405"];
            408: components["responses"]["Problem408"];
            409: components["responses"]["Problem409"];
            413: components["responses"]["Problem413"];
            414: components["responses"]["Problem414"];
            421: components["responses"]["Problem421"];
            422: components["responses"]["Problem422"];
            429: components["responses"]["Problem429"];
            431: components["responses"]["Problem431"];
            503: components["responses"]["Problem503"];
        };
    };
    read_plan: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                plan_id: number;
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
                    "application/json": components["schemas"]["PlanDetail"];
                };
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            404: components["responses"]["Problem404"];
            405: components["responses"]["Problem405"];
            408: components["responses"]["Problem408"];
            409: components["responses"]["Problem409"];
            413: components["responses"]["Problem413"];
            414: components["responses"]["Problem414"];
            421: components["responses"]["Problem421"];
            422: components["responses"]["Problem422"];
            429: components["responses"]["Problem429"];
            431: components["responses"]["Problem431"];
            503: components["responses"]["Problem503"];
        };
    };
    approve_plan: {
        parameters: {
            query?: never;
            header?: {
                /** @description a new key for each act (a random UUID); a repeat with it within 24 hours has no effect and gets the first answer again */
                "Idempotency-Key"?: string;
            };
            path: {
                plan_id: number;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["Confirmed"];
            };
        };
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PlanDetail"];
                };
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            404: components["responses"]["Problem404"];
            405: components["responses"]["Problem405"];
            408: components["responses"]["Problem408"];
            409: components["responses"]["Problem409"];
            413: components["responses"]["Problem413"];
            414: components["responses"]["Problem414"];
            421: components["responses"]["Problem421"];
            422: components["responses"]["Problem422"];
            429: components["responses"]["Problem429"];
            431: components["responses"]["Problem431"];
            503: components["responses"]["Problem503"];
        };
    };
    break_glass: {
        parameters: {
            query?: never;
            header?: {
                /** @description a new key for each act (a random UUID); a repeat with it within 24 hours has no effect and gets the first answer again */
                "Idempotency-Key"?: string;
            };
            path: {
                plan_id: number;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ConfirmedReason"];
            };
        };
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PlanDetail"];
                };
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            404: components["responses"]["Problem404"];
            405: components["responses"]["Problem405"];
            408: components["responses"]["Problem408"];
            409: components["responses"]["Problem409"];
            413: components["responses"]["Problem413"];
            414: components["responses"]["Problem414"];
            421: components["responses"]["Problem421"];
            422: components["responses"]["Problem422"];
            429: components["responses"]["Problem429"];
            431: components["responses"]["Problem431"];
            503: components["responses"]["Problem503"];
        };
    };
    refuse_plan: {
        parameters: {
            query?: never;
            header?: {
                /** @description a new key for each act (a random UUID); a repeat with it within 24 hours has no effect and gets the first answer again */
                "Idempotency-Key"?: string;
            };
            path: {
                plan_id: number;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["Reason"];
            };
        };
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PlanDetail"];
                };
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            404: components["responses"]["Problem404"];
            405: components["responses"]["Problem405"];
            408: components["responses"]["Problem408"];
            409: components["responses"]["Problem409"];
            413: components["responses"]["Problem413"];
            414: components["responses"]["Problem414"];
            421: components["responses"]["Problem421"];
            422: components["responses"]["Problem422"];
            429: components["responses"]["Problem429"];
            431: components["responses"]["Problem431"];
            503: components["responses"]["Problem503"];
        };
    };
    resume_plan: {
        parameters: {
            query?: never;
            header?: {
                /** @description a new key for each act (a random UUID); a repeat with it within 24 hours has no effect and gets the first answer again */
                "Idempotency-Key"?: string;
            };
            path: {
                plan_id: number;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["Reason"];
            };
        };
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PlanDetail"];
                };
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            404: components["responses"]["Problem404"];
            405: components["responses"]["Problem405"];
            408: components["responses"]["Problem408"];
            409: components["responses"]["Problem409"];
            413: components["responses"]["Problem413"];
            414: components["responses"]["Problem414"];
            421: components["responses"]["Problem421"];
            422: components["responses"]["Problem422"];
            429: components["responses"]["Problem429"];
            431: components["responses"]["Problem431"];
            503: components["responses"]["Problem503"];
        };
    };
    review_break_glass: {
        parameters: {
            query?: never;
            header?: {
                /** @description a new key for each act (a random UUID); a repeat with it within 24 hours has no effect and gets the first answer again */
                "Idempotency-Key"?: string;
            };
            path: {
                plan_id: number;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["Resolve"];
            };
        };
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PlanDetail"];
                };
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            404: components["responses"]["Problem404"];
            405: components["responses"]["Problem405"];
            408: components["responses"]["Problem408"];
            409: components["responses"]["Problem409"];
            413: components["responses"]["Problem413"];
            414: components["responses"]["Problem414"];
            421: components["responses"]["Problem421"];
            422: components["responses"]["Problem422"];
            429: components["responses"]["Problem429"];
            431: components["responses"]["Problem431"];
            503: components["responses"]["Problem503"];
        };
    };
    run_plan_under_standing: {
        parameters: {
            query?: never;
            header?: {
                /** @description a new key for each act (a random UUID); a repeat with it within 24 hours has no effect and gets the first answer again */
                "Idempotency-Key"?: string;
            };
            path: {
                plan_id: number;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["RunUnderStanding"];
            };
        };
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PlanDetail"];
                };
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            404: components["responses"]["Problem404"];
            405: components["responses"]["Problem405"];
            408: components["responses"]["Problem408"];
            409: components["responses"]["Problem409"];
            413: components["responses"]["Problem413"];
            414: components["responses"]["Problem414"];
            421: components["responses"]["Problem421"];
            422: components["responses"]["Problem422"];
            429: components["responses"]["Problem429"];
            431: components["responses"]["Problem431"];
            503: components["responses"]["Problem503"];
        };
    };
    stop_plan: {
        parameters: {
            query?: never;
            header?: {
                /** @description a new key for each act (a random UUID); a repeat with it within 24 hours has no effect and gets the first answer again */
                "Idempotency-Key"?: string;
            };
            path: {
                plan_id: number;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["Reason"];
            };
        };
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PlanDetail"];
                };
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            404: components["responses"]["Problem404"];
            405: components["responses"]["Problem405"];
            408: components["responses"]["Problem408"];
            409: components["responses"]["Problem409"];
            413: components["responses"]["Problem413"];
            414: components["responses"]["Problem414"];
            421: components["responses"]["Problem421"];
            422: components["responses"]["Problem422"];
            429: components["responses"]["Problem429"];
            431: components["responses"]["Problem431"];
            503: components["responses"]["Problem503"];
        };
    };
    submit_plan: {
        parameters: {
            query?: never;
            header?: {
                /** @description a new key for each act (a random UUID); a repeat with it within 24 hours has no effect and gets the first answer again */
                "Idempotency-Key"?: string;
            };
            path: {
                plan_id: number;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["PlanSubmit"];
            };
        };
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PlanDetail"];
                };
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            404: components["responses"]["Problem404"];
            405: components["responses"]["Problem405"];
            408: components["responses"]["Problem408"];
            409: components["responses"]["Problem409"];
            413: components["responses"]["Problem413"];
            414: components["responses"]["Problem414"];
            421: components["responses"]["Problem421"];
            422: components["responses"]["Problem422"];
            429: components["responses"]["Problem429"];
            431: components["responses"]["Problem431"];
            503: components["responses"]["Problem503"];
        };
    };
    read_plan_text: {
        parameters: {
            query?: {
                form?: "script" | "ansible";
                undo?: boolean;
            };
            header?: never;
            path: {
                plan_id: number;
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
                    "text/plain": string;
                };
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            404: components["responses"]["Problem404"];
            405: components["responses"]["Problem405"];
            408: components["responses"]["Problem408"];
            409: components["responses"]["Problem409"];
            413: components["responses"]["Problem413"];
            414: components["responses"]["Problem414"];
            421: components["responses"]["Problem421"];
            422: components["responses"]["Problem422"];
            429: components["responses"]["Problem429"];
            431: components["responses"]["Problem431"];
            503: components["responses"]["Problem503"];
        };
    };
    withdraw_plan: {
        parameters: {
            query?: never;
            header?: {
                /** @description a new key for each act (a random UUID); a repeat with it within 24 hours has no effect and gets the first answer again */
                "Idempotency-Key"?: string;
            };
            path: {
                plan_id: number;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["Reason"];
            };
        };
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PlanDetail"];
                };
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            404: components["responses"]["Problem404"];
            405: components["responses"]["Problem405"];
            408: components["responses"]["Problem408"];
            409: components["responses"]["Problem409"];
            413: components["responses"]["Problem413"];
            414: components["responses"]["Problem414"];
            421: components["responses"]["Problem421"];
            422: components["responses"]["Problem422"];
            429: components["responses"]["Problem429"];
            431: components["responses"]["Problem431"];
            503: components["responses"]["Problem503"];
        };
    };
    request_preview: {
        parameters: {
            query?: never;
            header?: {
                /** @description a new key for each act (a random UUID); a repeat with it within 24 hours has no effect and gets the first answer again */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["PreviewCreate"];
            };
        };
        responses: {
            /** @description Successful Response */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PreviewRunOut"];
                };
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            404: components["responses"]["Problem404"];
            405: components["responses"]["Problem405"];
            408: components["responses"]["Problem408"];
            409: components["responses"]["Problem409"];
            413: components["responses"]["Problem413"];
            414: components["responses"]["Problem414"];
            421: components["responses"]["Problem421"];
            422: components["responses"]["Problem422"];
            429: components["responses"]["Problem429"];
            431: components["responses"]["Problem431"];
            503: components["responses"]["Problem503"];
        };
    };
    list_proofs: {
        parameters: {
            query?: {
                host?: string | null;
                job?: number | null;
                after?: number | null;
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
                    "application/json": components["schemas"]["ProofPage"];
                };
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            404: components["responses"]["Problem404"];
            405: components["responses"]["Problem405"];
            408: components["responses"]["Problem408"];
            409: components["responses"]["Problem409"];
            413: components["responses"]["Problem413"];
            414: components["responses"]["Problem414"];
            421: components["responses"]["Problem421"];
            422: components["responses"]["Problem422"];
            429: components["responses"]["Problem429"];
            431: components["responses"]["Problem431"];
            503: components["responses"]["Problem503"];
        };
    };
    make_proof: {
        parameters: {
            query?: never;
            header?: {
                /** @description a new key for each act (a random UUID); a repeat with it within 24 hours has no effect and gets the first answer again */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ProofCreate"];
            };
        };
        responses: {
            /** @description Successful Response */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ProofDetail"];
                };
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            404: components["responses"]["Problem404"];
            405: components["responses"]["Problem405"];
            408: components["responses"]["Problem408"];
            409: components["responses"]["Problem409"];
            413: components["responses"]["Problem413"];
            414: components["responses"]["Problem414"];
            421: components["responses"]["Problem421"];
            422: components["responses"]["Problem422"];
            429: components["responses"]["Problem429"];
            431: components["responses"]["Problem431"];
            503: components["responses"]["Problem503"];
        };
    };
    read_proof_method: {
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
                    "application/json": components["schemas"]["ProofMethod"];
                };
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            404: components["responses"]["Problem404"];
            405: components["responses"]["Problem405"];
            408: components["responses"]["Problem408"];
            409: components["responses"]["Problem409"];
            413: components["responses"]["Problem413"];
            414: components["responses"]["Problem414"];
            421: components["responses"]["Problem421"];
            422: components["responses"]["Problem422"];
            429: components["responses"]["Problem429"];
            431: components["responses"]["Problem431"];
            503: components["responses"]["Problem503"];
        };
    };
    read_proof: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                proof_id: number;
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
                    "application/json": components["schemas"]["ProofDetail"];
                };
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            404: components["responses"]["Problem404"];
            405: components["responses"]["Problem405"];
            408: components["responses"]["Problem408"];
            409: components["responses"]["Problem409"];
            413: components["responses"]["Problem413"];
            414: components["responses"]["Problem414"];
            421: components["responses"]["Problem421"];
            422: components["responses"]["Problem422"];
            429: components["responses"]["Problem429"];
            431: components["responses"]["Problem431"];
            503: components["responses"]["Problem503"];
        };
    };
    decide_proof: {
        parameters: {
            query?: never;
            header?: {
                /** @description a new key for each act (a random UUID); a repeat with it within 24 hours has no effect and gets the first answer again */
                "Idempotency-Key"?: string;
            };
            path: {
                proof_id: number;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ProofDecision"];
            };
        };
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ProofDetail"];
                };
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            404: components["responses"]["Problem404"];
            405: components["responses"]["Problem405"];
            408: components["responses"]["Problem408"];
            409: components["responses"]["Problem409"];
            413: components["responses"]["Problem413"];
            414: components["responses"]["Problem414"];
            421: components["responses"]["Problem421"];
            422: components["responses"]["Problem422"];
            429: components["responses"]["Problem429"];
            431: components["responses"]["Problem431"];
            503: components["responses"]["Problem503"];
        };
    };
    list_remediation_workers: {
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
                    "application/json": components["schemas"]["WorkerOut"][];
                };
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            404: components["responses"]["Problem404"];
            405: components["responses"]["Problem405"];
            408: components["responses"]["Problem408"];
            409: components["responses"]["Problem409"];
            413: components["responses"]["Problem413"];
            414: components["responses"]["Problem414"];
            421: components["responses"]["Problem421"];
            422: components["responses"]["Problem422"];
            429: components["responses"]["Problem429"];
            431: components["responses"]["Problem431"];
            503: components["responses"]["Problem503"];
        };
    };
    list_report_schedules: {
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
                    "application/json": components["schemas"]["ScheduleOut"][];
                };
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            404: components["responses"]["Problem404"];
            405: components["responses"]["Problem405"];
            408: components["responses"]["Problem408"];
            409: components["responses"]["Problem409"];
            413: components["responses"]["Problem413"];
            414: components["responses"]["Problem414"];
            421: components["responses"]["Problem421"];
            422: components["responses"]["Problem422"];
            429: components["responses"]["Problem429"];
            431: components["responses"]["Problem431"];
            503: components["responses"]["Problem503"];
        };
    };
    create_report_schedule: {
        parameters: {
            query?: never;
            header?: {
                /** @description a new key for each act (a random UUID); a repeat with it within 24 hours has no effect and gets the first answer again */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ScheduleInput"];
            };
        };
        responses: {
            /** @description Successful Response */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ScheduleOut"];
                };
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            404: components["responses"]["Problem404"];
            405: components["responses"]["Problem405"];
            408: components["responses"]["Problem408"];
            409: components["responses"]["Problem409"];
            413: components["responses"]["Problem413"];
            414: components["responses"]["Problem414"];
            421: components["responses"]["Problem421"];
            422: components["responses"]["Problem422"];
            429: components["responses"]["Problem429"];
            431: components["responses"]["Problem431"];
            503: components["responses"]["Problem503"];
        };
    };
    change_report_schedule: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                schedule_id: number;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ScheduleInput"];
            };
        };
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ScheduleOut"];
                };
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            404: components["responses"]["Problem404"];
            405: components["responses"]["Problem405"];
            408: components["responses"]["Problem408"];
            409: components["responses"]["Problem409"];
            413: components["responses"]["Problem413"];
            414: components["responses"]["Problem414"];
            421: components["responses"]["Problem421"];
            422: components["responses"]["Problem422"];
            429: components["responses"]["Problem429"];
            431: components["responses"]["Problem431"];
            503: components["responses"]["Problem503"];
        };
    };
    remove_report_schedule: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                schedule_id: number;
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
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            404: components["responses"]["Problem404"];
            405: components["responses"]["Problem405"];
            408: components["responses"]["Problem408"];
            409: components["responses"]["Problem409"];
            413: components["responses"]["Problem413"];
            414: components["responses"]["Problem414"];
            421: components["responses"]["Problem421"];
            422: components["responses"]["Problem422"];
            429: components["responses"]["Problem429"];
            431: components["responses"]["Problem431"];
            503: components["responses"]["Problem503"];
        };
    };
    list_reports: {
        parameters: {
            query?: {
                template?: ("executive" | "technical" | "audit" | "exceptions" | "remediation") | "";
                schedule?: number | null;
                before?: number | null;
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
                    "application/json": components["schemas"]["ReportOut"][];
                };
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            404: components["responses"]["Problem404"];
            405: components["responses"]["Problem405"];
            408: components["responses"]["Problem408"];
            409: components["responses"]["Problem409"];
            413: components["responses"]["Problem413"];
            414: components["responses"]["Problem414"];
            421: components["responses"]["Problem421"];
            422: components["responses"]["Problem422"];
            429: components["responses"]["Problem429"];
            431: components["responses"]["Problem431"];
            503: components["responses"]["Problem503"];
        };
    };
    request_report: {
        parameters: {
            query?: never;
            header?: {
                /** @description a new key for each act (a random UUID); a repeat with it within 24 hours has no effect and gets the first answer again */
                "Idempotency-Key"?: string;
            };
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
                    "application/json": components["schemas"]["ReportOut"];
                };
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            404: components["responses"]["Problem404"];
            405: components["responses"]["Problem405"];
            408: components["responses"]["Problem408"];
            409: components["responses"]["Problem409"];
            413: components["responses"]["Problem413"];
            414: components["responses"]["Problem414"];
            421: components["responses"]["Problem421"];
            422: components["responses"]["Problem422"];
            429: components["responses"]["Problem429"];
            431: components["responses"]["Problem431"];
            503: components["responses"]["Problem503"];
        };
    };
    list_report_mail_channels: {
        parameters: {
            query: {
                group_id: number;
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
                    "application/json": components["schemas"]["MailChannel"][];
                };
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            404: components["responses"]["Problem404"];
            405: components["responses"]["Problem405"];
            408: components["responses"]["Problem408"];
            409: components["responses"]["Problem409"];
            413: components["responses"]["Problem413"];
            414: components["responses"]["Problem414"];
            421: components["responses"]["Problem421"];
            422: components["responses"]["Problem422"];
            429: components["responses"]["Problem429"];
            431: components["responses"]["Problem431"];
            503: components["responses"]["Problem503"];
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
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            404: components["responses"]["Problem404"];
            405: components["responses"]["Problem405"];
            408: components["responses"]["Problem408"];
            409: components["responses"]["Problem409"];
            413: components["responses"]["Problem413"];
            414: components["responses"]["Problem414"];
            421: components["responses"]["Problem421"];
            422: components["responses"]["Problem422"];
            429: components["responses"]["Problem429"];
            431: components["responses"]["Problem431"];
            503: components["responses"]["Problem503"];
        };
    };
    download_report: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                report_id: number;
                format: "pdf" | "xlsx" | "csv" | "json";
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
                    "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet": string;
                    "application/zip": string;
                };
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            404: components["responses"]["Problem404"];
            405: components["responses"]["Problem405"];
            408: components["responses"]["Problem408"];
            409: components["responses"]["Problem409"];
            413: components["responses"]["Problem413"];
            414: components["responses"]["Problem414"];
            421: components["responses"]["Problem421"];
            422: components["responses"]["Problem422"];
            429: components["responses"]["Problem429"];
            431: components["responses"]["Problem431"];
            503: components["responses"]["Problem503"];
        };
    };
    mail_report: {
        parameters: {
            query?: never;
            header?: {
                /** @description a new key for each act (a random UUID); a repeat with it within 24 hours has no effect and gets the first answer again */
                "Idempotency-Key"?: string;
            };
            path: {
                report_id: number;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["MailCreate"];
            };
        };
        responses: {
            /** @description Successful Response */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ReportDetail"];
                };
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            404: components["responses"]["Problem404"];
            405: components["responses"]["Problem405"];
            408: components["responses"]["Problem408"];
            409: components["responses"]["Problem409"];
            413: components["responses"]["Problem413"];
            414: components["responses"]["Problem414"];
            421: components["responses"]["Problem421"];
            422: components["responses"]["Problem422"];
            429: components["responses"]["Problem429"];
            431: components["responses"]["Problem431"];
            503: components["responses"]["Problem503"];
        };
    };
    mail_report_again: {
        parameters: {
            query?: never;
            header?: {
                /** @description a new key for each act (a random UUID); a repeat with it within 24 hours has no effect and gets the first answer again */
                "Idempotency-Key"?: string;
            };
            path: {
                report_id: number;
                mail_id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Successful Response */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ReportDetail"];
                };
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            404: components["responses"]["Problem404"];
            405: components["responses"]["Problem405"];
            408: components["responses"]["Problem408"];
            409: components["responses"]["Problem409"];
            413: components["responses"]["Problem413"];
            414: components["responses"]["Problem414"];
            421: components["responses"]["Problem421"];
            422: components["responses"]["Problem422"];
            429: components["responses"]["Problem429"];
            431: components["responses"]["Problem431"];
            503: components["responses"]["Problem503"];
        };
    };
    read_report_page: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                report_id: number;
                number: number;
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
                    "image/png": string;
                };
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            404: components["responses"]["Problem404"];
            405: components["responses"]["Problem405"];
            408: components["responses"]["Problem408"];
            409: components["responses"]["Problem409"];
            413: components["responses"]["Problem413"];
            414: components["responses"]["Problem414"];
            421: components["responses"]["Problem421"];
            422: components["responses"]["Problem422"];
            429: components["responses"]["Problem429"];
            431: components["responses"]["Problem431"];
            503: components["responses"]["Problem503"];
        };
    };
    list_rules: {
        parameters: {
            query?: {
                q?: string;
                pack?: string[];
                kind?: string[];
                outcome?: ("fail" | "unknown" | "excluded" | "waived" | "advice" | "pass" | "not_applicable")[];
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
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            404: components["responses"]["Problem404"];
            405: components["responses"]["Problem405"];
            408: components["responses"]["Problem408"];
            409: components["responses"]["Problem409"];
            413: components["responses"]["Problem413"];
            414: components["responses"]["Problem414"];
            421: components["responses"]["Problem421"];
            422: components["responses"]["Problem422"];
            429: components["responses"]["Problem429"];
            431: components["responses"]["Problem431"];
            503: components["responses"]["Problem503"];
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
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            404: components["responses"]["Problem404"];
            405: components["responses"]["Problem405"];
            408: components["responses"]["Problem408"];
            409: components["responses"]["Problem409"];
            413: components["responses"]["Problem413"];
            414: components["responses"]["Problem414"];
            421: components["responses"]["Problem421"];
            422: components["responses"]["Problem422"];
            429: components["responses"]["Problem429"];
            431: components["responses"]["Problem431"];
            503: components["responses"]["Problem503"];
        };
    };
    read_rule_effect: {
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
                    "application/json": components["schemas"]["RuleEffect"];
                };
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            404: components["responses"]["Problem404"];
            405: components["responses"]["Problem405"];
            408: components["responses"]["Problem408"];
            409: components["responses"]["Problem409"];
            413: components["responses"]["Problem413"];
            414: components["responses"]["Problem414"];
            421: components["responses"]["Problem421"];
            422: components["responses"]["Problem422"];
            429: components["responses"]["Problem429"];
            431: components["responses"]["Problem431"];
            503: components["responses"]["Problem503"];
        };
    };
    list_rule_hosts: {
        parameters: {
            query?: {
                outcome?: ("fail" | "unknown" | "excluded" | "waived" | "advice" | "pass" | "not_applicable")[];
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
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            404: components["responses"]["Problem404"];
            405: components["responses"]["Problem405"];
            408: components["responses"]["Problem408"];
            409: components["responses"]["Problem409"];
            413: components["responses"]["Problem413"];
            414: components["responses"]["Problem414"];
            421: components["responses"]["Problem421"];
            422: components["responses"]["Problem422"];
            429: components["responses"]["Problem429"];
            431: components["responses"]["Problem431"];
            503: components["responses"]["Problem503"];
        };
    };
    list_remediations: {
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
                    "application/json": components["schemas"]["RuleRemediations"];
                };
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            404: components["responses"]["Problem404"];
            405: components["responses"]["Problem405"];
            408: components["responses"]["Problem408"];
            409: components["responses"]["Problem409"];
            413: components["responses"]["Problem413"];
            414: components["responses"]["Problem414"];
            421: components["responses"]["Problem421"];
            422: components["responses"]["Problem422"];
            429: components["responses"]["Problem429"];
            431: components["responses"]["Problem431"];
            503: components["responses"]["Problem503"];
        };
    };
    read_fleet_score: {
        parameters: {
            query?: {
                group?: number | null;
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
                    "application/json": components["schemas"]["FleetScoreApart"];
                };
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            404: components["responses"]["Problem404"];
            405: components["responses"]["Problem405"];
            408: components["responses"]["Problem408"];
            409: components["responses"]["Problem409"];
            413: components["responses"]["Problem413"];
            414: components["responses"]["Problem414"];
            421: components["responses"]["Problem421"];
            422: components["responses"]["Problem422"];
            429: components["responses"]["Problem429"];
            431: components["responses"]["Problem431"];
            503: components["responses"]["Problem503"];
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
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            404: components["responses"]["Problem404"];
            405: components["responses"]["Problem405"];
            408: components["responses"]["Problem408"];
            409: components["responses"]["Problem409"];
            413: components["responses"]["Problem413"];
            414: components["responses"]["Problem414"];
            421: components["responses"]["Problem421"];
            422: components["responses"]["Problem422"];
            429: components["responses"]["Problem429"];
            431: components["responses"]["Problem431"];
            503: components["responses"]["Problem503"];
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
                    "application/json": components["schemas"]["SessionOut"];
                };
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            404: components["responses"]["Problem404"];
            405: components["responses"]["Problem405"];
            408: components["responses"]["Problem408"];
            409: components["responses"]["Problem409"];
            413: components["responses"]["Problem413"];
            414: components["responses"]["Problem414"];
            421: components["responses"]["Problem421"];
            422: components["responses"]["Problem422"];
            429: components["responses"]["Problem429"];
            431: components["responses"]["Problem431"];
            503: components["responses"]["Problem503"];
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
                    "application/json": components["schemas"]["SessionOut"] | components["schemas"]["SecondStepOut"];
                };
            };
            /** @description A second step is needed */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SecondStepOut"];
                };
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            404: components["responses"]["Problem404"];
            405: components["responses"]["Problem405"];
            408: components["responses"]["Problem408"];
            409: components["responses"]["Problem409"];
            413: components["responses"]["Problem413"];
            414: components["responses"]["Problem414"];
            421: components["responses"]["Problem421"];
            422: components["responses"]["Problem422"];
            429: components["responses"]["Problem429"];
            431: components["responses"]["Problem431"];
            503: components["responses"]["Problem503"];
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
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            404: components["responses"]["Problem404"];
            405: components["responses"]["Problem405"];
            408: components["responses"]["Problem408"];
            409: components["responses"]["Problem409"];
            413: components["responses"]["Problem413"];
            414: components["responses"]["Problem414"];
            421: components["responses"]["Problem421"];
            422: components["responses"]["Problem422"];
            429: components["responses"]["Problem429"];
            431: components["responses"]["Problem431"];
            503: components["responses"]["Problem503"];
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
                    "application/json": components["schemas"]["SessionOut"];
                };
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            404: components["responses"]["Problem404"];
            405: components["responses"]["Problem405"];
            408: components["responses"]["Problem408"];
            409: components["responses"]["Problem409"];
            413: components["responses"]["Problem413"];
            414: components["responses"]["Problem414"];
            421: components["responses"]["Problem421"];
            422: components["responses"]["Problem422"];
            429: components["responses"]["Problem429"];
            431: components["responses"]["Problem431"];
            503: components["responses"]["Problem503"];
        };
    };
    list_own_sessions: {
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
                    "application/json": components["schemas"]["OwnSession"][];
                };
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            404: components["responses"]["Problem404"];
            405: components["responses"]["Problem405"];
            408: components["responses"]["Problem408"];
            409: components["responses"]["Problem409"];
            413: components["responses"]["Problem413"];
            414: components["responses"]["Problem414"];
            421: components["responses"]["Problem421"];
            422: components["responses"]["Problem422"];
            429: components["responses"]["Problem429"];
            431: components["responses"]["Problem431"];
            503: components["responses"]["Problem503"];
        };
    };
    end_own_session: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                key: string;
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
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            404: components["responses"]["Problem404"];
            405: components["responses"]["Problem405"];
            408: components["responses"]["Problem408"];
            409: components["responses"]["Problem409"];
            413: components["responses"]["Problem413"];
            414: components["responses"]["Problem414"];
            421: components["responses"]["Problem421"];
            422: components["responses"]["Problem422"];
            429: components["responses"]["Problem429"];
            431: components["responses"]["Problem431"];
            503: components["responses"]["Problem503"];
        };
    };
    begin_confirmation: {
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
                    "application/json": components["schemas"]["SecondStepOut"];
                };
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            404: components["responses"]["Problem404"];
            405: components["responses"]["Problem405"];
            408: components["responses"]["Problem408"];
            409: components["responses"]["Problem409"];
            413: components["responses"]["Problem413"];
            414: components["responses"]["Problem414"];
            421: components["responses"]["Problem421"];
            422: components["responses"]["Problem422"];
            429: components["responses"]["Problem429"];
            431: components["responses"]["Problem431"];
            503: components["responses"]["Problem503"];
        };
    };
    end_other_sessions: {
        parameters: {
            query?: never;
            header?: {
                /** @description a new key for each act (a random UUID); a repeat with it within 24 hours has no effect and gets the first answer again */
                "Idempotency-Key"?: string;
            };
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
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            404: components["responses"]["Problem404"];
            405: components["responses"]["Problem405"];
            408: components["responses"]["Problem408"];
            409: components["responses"]["Problem409"];
            413: components["responses"]["Problem413"];
            414: components["responses"]["Problem414"];
            421: components["responses"]["Problem421"];
            422: components["responses"]["Problem422"];
            429: components["responses"]["Problem429"];
            431: components["responses"]["Problem431"];
            503: components["responses"]["Problem503"];
        };
    };
    set_own_password: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["PasswordChange"];
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
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            404: components["responses"]["Problem404"];
            405: components["responses"]["Problem405"];
            408: components["responses"]["Problem408"];
            409: components["responses"]["Problem409"];
            413: components["responses"]["Problem413"];
            414: components["responses"]["Problem414"];
            421: components["responses"]["Problem421"];
            422: components["responses"]["Problem422"];
            429: components["responses"]["Problem429"];
            431: components["responses"]["Problem431"];
            503: components["responses"]["Problem503"];
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
                "application/json": components["schemas"]["Confirmation"];
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
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            404: components["responses"]["Problem404"];
            405: components["responses"]["Problem405"];
            408: components["responses"]["Problem408"];
            409: components["responses"]["Problem409"];
            413: components["responses"]["Problem413"];
            414: components["responses"]["Problem414"];
            421: components["responses"]["Problem421"];
            422: components["responses"]["Problem422"];
            429: components["responses"]["Problem429"];
            431: components["responses"]["Problem431"];
            503: components["responses"]["Problem503"];
        };
    };
    make_recovery_codes: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["OwnPassword"];
            };
        };
        responses: {
            /** @description Successful Response */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RecoveryCodes"];
                };
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            404: components["responses"]["Problem404"];
            405: components["responses"]["Problem405"];
            408: components["responses"]["Problem408"];
            409: components["responses"]["Problem409"];
            413: components["responses"]["Problem413"];
            414: components["responses"]["Problem414"];
            421: components["responses"]["Problem421"];
            422: components["responses"]["Problem422"];
            429: components["responses"]["Problem429"];
            431: components["responses"]["Problem431"];
            503: components["responses"]["Problem503"];
        };
    };
    list_second_factors: {
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
                    "application/json": components["schemas"]["SecondFactors"];
                };
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            404: components["responses"]["Problem404"];
            405: components["responses"]["Problem405"];
            408: components["responses"]["Problem408"];
            409: components["responses"]["Problem409"];
            413: components["responses"]["Problem413"];
            414: components["responses"]["Problem414"];
            421: components["responses"]["Problem421"];
            422: components["responses"]["Problem422"];
            429: components["responses"]["Problem429"];
            431: components["responses"]["Problem431"];
            503: components["responses"]["Problem503"];
        };
    };
    add_second_factor: {
        parameters: {
            query?: never;
            header?: {
                /** @description a new key for each act (a random UUID); a repeat with it within 24 hours has no effect and gets the first answer again */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["FactorCreate"];
            };
        };
        responses: {
            /** @description Successful Response */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["FactorCreated"];
                };
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            404: components["responses"]["Problem404"];
            405: components["responses"]["Problem405"];
            408: components["responses"]["Problem408"];
            409: components["responses"]["Problem409"];
            413: components["responses"]["Problem413"];
            414: components["responses"]["Problem414"];
            421: components["responses"]["Problem421"];
            422: components["responses"]["Problem422"];
            429: components["responses"]["Problem429"];
            431: components["responses"]["Problem431"];
            503: components["responses"]["Problem503"];
        };
    };
    begin_second_factor: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["FactorBegin"];
            };
        };
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["FactorBegun"];
                };
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            404: components["responses"]["Problem404"];
            405: components["responses"]["Problem405"];
            408: components["responses"]["Problem408"];
            409: components["responses"]["Problem409"];
            413: components["responses"]["Problem413"];
            414: components["responses"]["Problem414"];
            421: components["responses"]["Problem421"];
            422: components["responses"]["Problem422"];
            429: components["responses"]["Problem429"];
            431: components["responses"]["Problem431"];
            503: components["responses"]["Problem503"];
        };
    };
    remove_second_factor: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                factor_id: number;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["OwnPassword"];
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
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            404: components["responses"]["Problem404"];
            405: components["responses"]["Problem405"];
            408: components["responses"]["Problem408"];
            409: components["responses"]["Problem409"];
            413: components["responses"]["Problem413"];
            414: components["responses"]["Problem414"];
            421: components["responses"]["Problem421"];
            422: components["responses"]["Problem422"];
            429: components["responses"]["Problem429"];
            431: components["responses"]["Problem431"];
            503: components["responses"]["Problem503"];
        };
    };
    complete_sign_in: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["SecondStepIn"];
            };
        };
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SessionOut"];
                };
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            404: components["responses"]["Problem404"];
            405: components["responses"]["Problem405"];
            408: components["responses"]["Problem408"];
            409: components["responses"]["Problem409"];
            413: components["responses"]["Problem413"];
            414: components["responses"]["Problem414"];
            421: components["responses"]["Problem421"];
            422: components["responses"]["Problem422"];
            429: components["responses"]["Problem429"];
            431: components["responses"]["Problem431"];
            503: components["responses"]["Problem503"];
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
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            404: components["responses"]["Problem404"];
            405: components["responses"]["Problem405"];
            408: components["responses"]["Problem408"];
            409: components["responses"]["Problem409"];
            413: components["responses"]["Problem413"];
            414: components["responses"]["Problem414"];
            421: components["responses"]["Problem421"];
            422: components["responses"]["Problem422"];
            429: components["responses"]["Problem429"];
            431: components["responses"]["Problem431"];
            503: components["responses"]["Problem503"];
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
                    "application/json": components["schemas"]["SessionOut"];
                };
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            404: components["responses"]["Problem404"];
            405: components["responses"]["Problem405"];
            408: components["responses"]["Problem408"];
            409: components["responses"]["Problem409"];
            413: components["responses"]["Problem413"];
            414: components["responses"]["Problem414"];
            421: components["responses"]["Problem421"];
            422: components["responses"]["Problem422"];
            429: components["responses"]["Problem429"];
            431: components["responses"]["Problem431"];
            503: components["responses"]["Problem503"];
        };
    };
    finish_sign_in: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Successful Response */
            303: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            404: components["responses"]["Problem404"];
            405: components["responses"]["Problem405"];
            408: components["responses"]["Problem408"];
            409: components["responses"]["Problem409"];
            413: components["responses"]["Problem413"];
            414: components["responses"]["Problem414"];
            421: components["responses"]["Problem421"];
            422: components["responses"]["Problem422"];
            429: components["responses"]["Problem429"];
            431: components["responses"]["Problem431"];
            503: components["responses"]["Problem503"];
        };
    };
    confirm_at_provider: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Successful Response */
            303: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            404: components["responses"]["Problem404"];
            405: components["responses"]["Problem405"];
            408: components["responses"]["Problem408"];
            409: components["responses"]["Problem409"];
            413: components["responses"]["Problem413"];
            414: components["responses"]["Problem414"];
            421: components["responses"]["Problem421"];
            422: components["responses"]["Problem422"];
            429: components["responses"]["Problem429"];
            431: components["responses"]["Problem431"];
            503: components["responses"]["Problem503"];
        };
    };
    list_group_grants: {
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
                    "application/json": components["schemas"]["GroupGrant"][];
                };
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            404: components["responses"]["Problem404"];
            405: components["responses"]["Problem405"];
            408: components["responses"]["Problem408"];
            409: components["responses"]["Problem409"];
            413: components["responses"]["Problem413"];
            414: components["responses"]["Problem414"];
            421: components["responses"]["Problem421"];
            422: components["responses"]["Problem422"];
            429: components["responses"]["Problem429"];
            431: components["responses"]["Problem431"];
            503: components["responses"]["Problem503"];
        };
    };
    give_group_grant: {
        parameters: {
            query?: never;
            header?: {
                /** @description a new key for each act (a random UUID); a repeat with it within 24 hours has no effect and gets the first answer again */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["GroupGrantCreate"];
            };
        };
        responses: {
            /** @description Successful Response */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["GroupGrant"][];
                };
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            404: components["responses"]["Problem404"];
            405: components["responses"]["Problem405"];
            408: components["responses"]["Problem408"];
            409: components["responses"]["Problem409"];
            413: components["responses"]["Problem413"];
            414: components["responses"]["Problem414"];
            421: components["responses"]["Problem421"];
            422: components["responses"]["Problem422"];
            429: components["responses"]["Problem429"];
            431: components["responses"]["Problem431"];
            503: components["responses"]["Problem503"];
        };
    };
    sign_out_at_provider: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Successful Response */
            303: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            404: components["responses"]["Problem404"];
            405: components["responses"]["Problem405"];
            408: components["responses"]["Problem408"];
            409: components["responses"]["Problem409"];
            413: components["responses"]["Problem413"];
            414: components["responses"]["Problem414"];
            421: components["responses"]["Problem421"];
            422: components["responses"]["Problem422"];
            429: components["responses"]["Problem429"];
            431: components["responses"]["Problem431"];
            503: components["responses"]["Problem503"];
        };
    };
    read_sign_in_policy: {
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
                    "application/json": components["schemas"]["SignInPolicy"];
                };
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            404: components["responses"]["Problem404"];
            405: components["responses"]["Problem405"];
            408: components["responses"]["Problem408"];
            409: components["responses"]["Problem409"];
            413: components["responses"]["Problem413"];
            414: components["responses"]["Problem414"];
            421: components["responses"]["Problem421"];
            422: components["responses"]["Problem422"];
            429: components["responses"]["Problem429"];
            431: components["responses"]["Problem431"];
            503: components["responses"]["Problem503"];
        };
    };
    set_sign_in_policy: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["SignInPolicySet"];
            };
        };
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SignInPolicy"];
                };
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            404: components["responses"]["Problem404"];
            405: components["responses"]["Problem405"];
            408: components["responses"]["Problem408"];
            409: components["responses"]["Problem409"];
            413: components["responses"]["Problem413"];
            414: components["responses"]["Problem414"];
            421: components["responses"]["Problem421"];
            422: components["responses"]["Problem422"];
            429: components["responses"]["Problem429"];
            431: components["responses"]["Problem431"];
            503: components["responses"]["Problem503"];
        };
    };
    read_provider: {
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
                    "application/json": components["schemas"]["ProviderOut"] | null;
                };
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            404: components["responses"]["Problem404"];
            405: components["responses"]["Problem405"];
            408: components["responses"]["Problem408"];
            409: components["responses"]["Problem409"];
            413: components["responses"]["Problem413"];
            414: components["responses"]["Problem414"];
            421: components["responses"]["Problem421"];
            422: components["responses"]["Problem422"];
            429: components["responses"]["Problem429"];
            431: components["responses"]["Problem431"];
            503: components["responses"]["Problem503"];
        };
    };
    set_provider: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ProviderSet"];
            };
        };
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ProviderOut"];
                };
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            404: components["responses"]["Problem404"];
            405: components["responses"]["Problem405"];
            408: components["responses"]["Problem408"];
            409: components["responses"]["Problem409"];
            413: components["responses"]["Problem413"];
            414: components["responses"]["Problem414"];
            421: components["responses"]["Problem421"];
            422: components["responses"]["Problem422"];
            429: components["responses"]["Problem429"];
            431: components["responses"]["Problem431"];
            503: components["responses"]["Problem503"];
        };
    };
    try_provider: {
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
                    "application/json": components["schemas"]["ProviderTrial"];
                };
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            404: components["responses"]["Problem404"];
            405: components["responses"]["Problem405"];
            408: components["responses"]["Problem408"];
            409: components["responses"]["Problem409"];
            413: components["responses"]["Problem413"];
            414: components["responses"]["Problem414"];
            421: components["responses"]["Problem421"];
            422: components["responses"]["Problem422"];
            429: components["responses"]["Problem429"];
            431: components["responses"]["Problem431"];
            503: components["responses"]["Problem503"];
        };
    };
    start_sign_in: {
        parameters: {
            query?: {
                next?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Successful Response */
            303: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            404: components["responses"]["Problem404"];
            405: components["responses"]["Problem405"];
            408: components["responses"]["Problem408"];
            409: components["responses"]["Problem409"];
            413: components["responses"]["Problem413"];
            414: components["responses"]["Problem414"];
            421: components["responses"]["Problem421"];
            422: components["responses"]["Problem422"];
            429: components["responses"]["Problem429"];
            431: components["responses"]["Problem431"];
            503: components["responses"]["Problem503"];
        };
    };
    list_standing_approvals: {
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
                    "application/json": components["schemas"]["StandingApprovalOut"][];
                };
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            404: components["responses"]["Problem404"];
            405: components["responses"]["Problem405"];
            408: components["responses"]["Problem408"];
            409: components["responses"]["Problem409"];
            413: components["responses"]["Problem413"];
            414: components["responses"]["Problem414"];
            421: components["responses"]["Problem421"];
            422: components["responses"]["Problem422"];
            429: components["responses"]["Problem429"];
            431: components["responses"]["Problem431"];
            503: components["responses"]["Problem503"];
        };
    };
    sign_standing_approval: {
        parameters: {
            query?: never;
            header?: {
                /** @description a new key for each act (a random UUID); a repeat with it within 24 hours has no effect and gets the first answer again */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["StandingCreate"];
            };
        };
        responses: {
            /** @description Successful Response */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["StandingApprovalOut"];
                };
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            404: components["responses"]["Problem404"];
            405: components["responses"]["Problem405"];
            408: components["responses"]["Problem408"];
            409: components["responses"]["Problem409"];
            413: components["responses"]["Problem413"];
            414: components["responses"]["Problem414"];
            421: components["responses"]["Problem421"];
            422: components["responses"]["Problem422"];
            429: components["responses"]["Problem429"];
            431: components["responses"]["Problem431"];
            503: components["responses"]["Problem503"];
        };
    };
    withdraw_standing_approval: {
        parameters: {
            query?: never;
            header?: {
                /** @description a new key for each act (a random UUID); a repeat with it within 24 hours has no effect and gets the first answer again */
                "Idempotency-Key"?: string;
            };
            path: {
                standing_id: number;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["Reason"];
            };
        };
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["StandingApprovalOut"];
                };
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            404: components["responses"]["Problem404"];
            405: components["responses"]["Problem405"];
            408: components["responses"]["Problem408"];
            409: components["responses"]["Problem409"];
            413: components["responses"]["Problem413"];
            414: components["responses"]["Problem414"];
            421: components["responses"]["Problem421"];
            422: components["responses"]["Problem422"];
            429: components["responses"]["Problem429"];
            431: components["responses"]["Problem431"];
            503: components["responses"]["Problem503"];
        };
    };
    read_stop_switch: {
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
                    "application/json": components["schemas"]["StopSwitchOut"];
                };
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            404: components["responses"]["Problem404"];
            405: components["responses"]["Problem405"];
            408: components["responses"]["Problem408"];
            409: components["responses"]["Problem409"];
            413: components["responses"]["Problem413"];
            414: components["responses"]["Problem414"];
            421: components["responses"]["Problem421"];
            422: components["responses"]["Problem422"];
            429: components["responses"]["Problem429"];
            431: components["responses"]["Problem431"];
            503: components["responses"]["Problem503"];
        };
    };
    set_stop_switch: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["SwitchSet"];
            };
        };
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["StopSwitchOut"];
                };
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            404: components["responses"]["Problem404"];
            405: components["responses"]["Problem405"];
            408: components["responses"]["Problem408"];
            409: components["responses"]["Problem409"];
            413: components["responses"]["Problem413"];
            414: components["responses"]["Problem414"];
            421: components["responses"]["Problem421"];
            422: components["responses"]["Problem422"];
            429: components["responses"]["Problem429"];
            431: components["responses"]["Problem431"];
            503: components["responses"]["Problem503"];
        };
    };
    lift_restore: {
        parameters: {
            query?: never;
            header?: {
                /** @description a new key for each act (a random UUID); a repeat with it within 24 hours has no effect and gets the first answer again */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["Reason"];
            };
        };
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["StopSwitchOut"];
                };
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            404: components["responses"]["Problem404"];
            405: components["responses"]["Problem405"];
            408: components["responses"]["Problem408"];
            409: components["responses"]["Problem409"];
            413: components["responses"]["Problem413"];
            414: components["responses"]["Problem414"];
            421: components["responses"]["Problem421"];
            422: components["responses"]["Problem422"];
            429: components["responses"]["Problem429"];
            431: components["responses"]["Problem431"];
            503: components["responses"]["Problem503"];
        };
    };
    read_switch_evidence: {
        parameters: {
            query?: {
                host_id?: string | null;
                group_id?: number | null;
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
                    "application/json": components["schemas"]["SwitchEvidence"];
                };
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            404: components["responses"]["Problem404"];
            405: components["responses"]["Problem405"];
            408: components["responses"]["Problem408"];
            409: components["responses"]["Problem409"];
            413: components["responses"]["Problem413"];
            414: components["responses"]["Problem414"];
            421: components["responses"]["Problem421"];
            422: components["responses"]["Problem422"];
            429: components["responses"]["Problem429"];
            431: components["responses"]["Problem431"];
            503: components["responses"]["Problem503"];
        };
    };
    list_switches: {
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
                    "application/json": components["schemas"]["SwitchList"];
                };
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            404: components["responses"]["Problem404"];
            405: components["responses"]["Problem405"];
            408: components["responses"]["Problem408"];
            409: components["responses"]["Problem409"];
            413: components["responses"]["Problem413"];
            414: components["responses"]["Problem414"];
            421: components["responses"]["Problem421"];
            422: components["responses"]["Problem422"];
            429: components["responses"]["Problem429"];
            431: components["responses"]["Problem431"];
            503: components["responses"]["Problem503"];
        };
    };
    read_switch: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                switch_id: string;
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
                    "application/json": components["schemas"]["SwitchDetail"];
                };
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            404: components["responses"]["Problem404"];
            405: components["responses"]["Problem405"];
            408: components["responses"]["Problem408"];
            409: components["responses"]["Problem409"];
            413: components["responses"]["Problem413"];
            414: components["responses"]["Problem414"];
            421: components["responses"]["Problem421"];
            422: components["responses"]["Problem422"];
            429: components["responses"]["Problem429"];
            431: components["responses"]["Problem431"];
            503: components["responses"]["Problem503"];
        };
    };
    read_health_of_system: {
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
                    "application/json": components["schemas"]["SystemHealthOut"];
                };
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            404: components["responses"]["Problem404"];
            405: components["responses"]["Problem405"];
            408: components["responses"]["Problem408"];
            409: components["responses"]["Problem409"];
            413: components["responses"]["Problem413"];
            414: components["responses"]["Problem414"];
            421: components["responses"]["Problem421"];
            422: components["responses"]["Problem422"];
            429: components["responses"]["Problem429"];
            431: components["responses"]["Problem431"];
            503: components["responses"]["Problem503"];
        };
    };
    download_support_file: {
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
                    "application/zip": string;
                };
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            404: components["responses"]["Problem404"];
            405: components["responses"]["Problem405"];
            408: components["responses"]["Problem408"];
            409: components["responses"]["Problem409"];
            413: components["responses"]["Problem413"];
            414: components["responses"]["Problem414"];
            421: components["responses"]["Problem421"];
            422: components["responses"]["Problem422"];
            429: components["responses"]["Problem429"];
            431: components["responses"]["Problem431"];
            503: components["responses"]["Problem503"];
        };
    };
    create_ticket: {
        parameters: {
            query?: never;
            header?: {
                /** @description a new key for each act (a random UUID); a repeat with it within 24 hours has no effect and gets the first answer again */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["TicketCreate"];
            };
        };
        responses: {
            /** @description Successful Response */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TicketOut"];
                };
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            404: components["responses"]["Problem404"];
            405: components["responses"]["Problem405"];
            408: components["responses"]["Problem408"];
            409: components["responses"]["Problem409"];
            413: components["responses"]["Problem413"];
            414: components["responses"]["Problem414"];
            421: components["responses"]["Problem421"];
            422: components["responses"]["Problem422"];
            429: components["responses"]["Problem429"];
            431: components["responses"]["Problem431"];
            503: components["responses"]["Problem503"];
        };
    };
    preview_ticket: {
        parameters: {
            query?: never;
            header?: {
                /** @description a new key for each act (a random UUID); a repeat with it within 24 hours has no effect and gets the first answer again */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["TicketAbout"];
            };
        };
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TicketPreview"];
                };
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            404: components["responses"]["Problem404"];
            405: components["responses"]["Problem405"];
            408: components["responses"]["Problem408"];
            409: components["responses"]["Problem409"];
            413: components["responses"]["Problem413"];
            414: components["responses"]["Problem414"];
            421: components["responses"]["Problem421"];
            422: components["responses"]["Problem422"];
            429: components["responses"]["Problem429"];
            431: components["responses"]["Problem431"];
            503: components["responses"]["Problem503"];
        };
    };
    list_api_tokens: {
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
                    "application/json": components["schemas"]["TokenRow"][];
                };
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            404: components["responses"]["Problem404"];
            405: components["responses"]["Problem405"];
            408: components["responses"]["Problem408"];
            409: components["responses"]["Problem409"];
            413: components["responses"]["Problem413"];
            414: components["responses"]["Problem414"];
            421: components["responses"]["Problem421"];
            422: components["responses"]["Problem422"];
            429: components["responses"]["Problem429"];
            431: components["responses"]["Problem431"];
            503: components["responses"]["Problem503"];
        };
    };
    make_api_token: {
        parameters: {
            query?: never;
            header?: {
                /** @description a new key for each act (a random UUID); a repeat with it within 24 hours has no effect and gets the first answer again */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["TokenCreate"];
            };
        };
        responses: {
            /** @description Successful Response */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TokenMade"];
                };
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            404: components["responses"]["Problem404"];
            405: components["responses"]["Problem405"];
            408: components["responses"]["Problem408"];
            409: components["responses"]["Problem409"];
            413: components["responses"]["Problem413"];
            414: components["responses"]["Problem414"];
            421: components["responses"]["Problem421"];
            422: components["responses"]["Problem422"];
            429: components["responses"]["Problem429"];
            431: components["responses"]["Problem431"];
            503: components["responses"]["Problem503"];
        };
    };
    revoke_api_token: {
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
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            404: components["responses"]["Problem404"];
            405: components["responses"]["Problem405"];
            408: components["responses"]["Problem408"];
            409: components["responses"]["Problem409"];
            413: components["responses"]["Problem413"];
            414: components["responses"]["Problem414"];
            421: components["responses"]["Problem421"];
            422: components["responses"]["Problem422"];
            429: components["responses"]["Problem429"];
            431: components["responses"]["Problem431"];
            503: components["responses"]["Problem503"];
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
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            404: components["responses"]["Problem404"];
            405: components["responses"]["Problem405"];
            408: components["responses"]["Problem408"];
            409: components["responses"]["Problem409"];
            413: components["responses"]["Problem413"];
            414: components["responses"]["Problem414"];
            421: components["responses"]["Problem421"];
            422: components["responses"]["Problem422"];
            429: components["responses"]["Problem429"];
            431: components["responses"]["Problem431"];
            503: components["responses"]["Problem503"];
        };
    };
    create_view: {
        parameters: {
            query?: never;
            header?: {
                /** @description a new key for each act (a random UUID); a repeat with it within 24 hours has no effect and gets the first answer again */
                "Idempotency-Key"?: string;
            };
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
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            404: components["responses"]["Problem404"];
            405: components["responses"]["Problem405"];
            408: components["responses"]["Problem408"];
            409: components["responses"]["Problem409"];
            413: components["responses"]["Problem413"];
            414: components["responses"]["Problem414"];
            421: components["responses"]["Problem421"];
            422: components["responses"]["Problem422"];
            429: components["responses"]["Problem429"];
            431: components["responses"]["Problem431"];
            503: components["responses"]["Problem503"];
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
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            404: components["responses"]["Problem404"];
            405: components["responses"]["Problem405"];
            408: components["responses"]["Problem408"];
            409: components["responses"]["Problem409"];
            413: components["responses"]["Problem413"];
            414: components["responses"]["Problem414"];
            421: components["responses"]["Problem421"];
            422: components["responses"]["Problem422"];
            429: components["responses"]["Problem429"];
            431: components["responses"]["Problem431"];
            503: components["responses"]["Problem503"];
        };
    };
    change_view: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                view_id: number;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ViewUpdate"];
            };
        };
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["View"];
                };
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            404: components["responses"]["Problem404"];
            405: components["responses"]["Problem405"];
            408: components["responses"]["Problem408"];
            409: components["responses"]["Problem409"];
            413: components["responses"]["Problem413"];
            414: components["responses"]["Problem414"];
            421: components["responses"]["Problem421"];
            422: components["responses"]["Problem422"];
            429: components["responses"]["Problem429"];
            431: components["responses"]["Problem431"];
            503: components["responses"]["Problem503"];
        };
    };
    list_waivers: {
        parameters: {
            query?: {
                after?: string | null;
                limit?: number;
                state?: ("requested" | "active" | "refused" | "expired" | "tripped" | "withdrawn" | "replaced")[];
                owner?: number[];
                age?: ("30" | "90" | "older")[];
                ends_within?: ("7" | "30" | "90") | null;
                q?: string;
                rule?: string;
                host?: string;
                group?: number | null;
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
                    "application/json": components["schemas"]["WaiverPage"];
                };
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            404: components["responses"]["Problem404"];
            405: components["responses"]["Problem405"];
            408: components["responses"]["Problem408"];
            409: components["responses"]["Problem409"];
            413: components["responses"]["Problem413"];
            414: components["responses"]["Problem414"];
            421: components["responses"]["Problem421"];
            422: components["responses"]["Problem422"];
            429: components["responses"]["Problem429"];
            431: components["responses"]["Problem431"];
            503: components["responses"]["Problem503"];
        };
    };
    request_waiver: {
        parameters: {
            query?: never;
            header?: {
                /** @description a new key for each act (a random UUID); a repeat with it within 24 hours has no effect and gets the first answer again */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["WaiverCreate"];
            };
        };
        responses: {
            /** @description Successful Response */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WaiverDetail"];
                };
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            404: components["responses"]["Problem404"];
            405: components["responses"]["Problem405"];
            408: components["responses"]["Problem408"];
            409: components["responses"]["Problem409"];
            413: components["responses"]["Problem413"];
            414: components["responses"]["Problem414"];
            421: components["responses"]["Problem421"];
            422: components["responses"]["Problem422"];
            429: components["responses"]["Problem429"];
            431: components["responses"]["Problem431"];
            503: components["responses"]["Problem503"];
        };
    };
    read_waiver_notices: {
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
                    "application/json": components["schemas"]["WaiverNotices"];
                };
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            404: components["responses"]["Problem404"];
            405: components["responses"]["Problem405"];
            408: components["responses"]["Problem408"];
            409: components["responses"]["Problem409"];
            413: components["responses"]["Problem413"];
            414: components["responses"]["Problem414"];
            421: components["responses"]["Problem421"];
            422: components["responses"]["Problem422"];
            429: components["responses"]["Problem429"];
            431: components["responses"]["Problem431"];
            503: components["responses"]["Problem503"];
        };
    };
    list_waiver_owners: {
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
                    "application/json": components["schemas"]["PersonName"][];
                };
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            404: components["responses"]["Problem404"];
            405: components["responses"]["Problem405"];
            408: components["responses"]["Problem408"];
            409: components["responses"]["Problem409"];
            413: components["responses"]["Problem413"];
            414: components["responses"]["Problem414"];
            421: components["responses"]["Problem421"];
            422: components["responses"]["Problem422"];
            429: components["responses"]["Problem429"];
            431: components["responses"]["Problem431"];
            503: components["responses"]["Problem503"];
        };
    };
    preview_waiver: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["WaiverScopeInput"];
            };
        };
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WaiverPreview"];
                };
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            404: components["responses"]["Problem404"];
            405: components["responses"]["Problem405"];
            408: components["responses"]["Problem408"];
            409: components["responses"]["Problem409"];
            413: components["responses"]["Problem413"];
            414: components["responses"]["Problem414"];
            421: components["responses"]["Problem421"];
            422: components["responses"]["Problem422"];
            429: components["responses"]["Problem429"];
            431: components["responses"]["Problem431"];
            503: components["responses"]["Problem503"];
        };
    };
    read_waiver: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                waiver_id: number;
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
                    "application/json": components["schemas"]["WaiverDetail"];
                };
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            404: components["responses"]["Problem404"];
            405: components["responses"]["Problem405"];
            408: components["responses"]["Problem408"];
            409: components["responses"]["Problem409"];
            413: components["responses"]["Problem413"];
            414: components["responses"]["Problem414"];
            421: components["responses"]["Problem421"];
            422: components["responses"]["Problem422"];
            429: components["responses"]["Problem429"];
            431: components["responses"]["Problem431"];
            503: components["responses"]["Problem503"];
        };
    };
    approve_waiver: {
        parameters: {
            query?: never;
            header?: {
                /** @description a new key for each act (a random UUID); a repeat with it within 24 hours has no effect and gets the first answer again */
                "Idempotency-Key"?: string;
            };
            path: {
                waiver_id: number;
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
                    "application/json": components["schemas"]["WaiverDetail"];
                };
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            404: components["responses"]["Problem404"];
            405: components["responses"]["Problem405"];
            408: components["responses"]["Problem408"];
            409: components["responses"]["Problem409"];
            413: components["responses"]["Problem413"];
            414: components["responses"]["Problem414"];
            421: components["responses"]["Problem421"];
            422: components["responses"]["Problem422"];
            429: components["responses"]["Problem429"];
            431: components["responses"]["Problem431"];
            503: components["responses"]["Problem503"];
        };
    };
    attach_to_waiver: {
        parameters: {
            query: {
                name: string;
            };
            header?: {
                /** @description a new key for each act (a random UUID); a repeat with it within 24 hours has no effect and gets the first answer again */
                "Idempotency-Key"?: string;
            };
            path: {
                waiver_id: number;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/octet-stream": string;
            };
        };
        responses: {
            /** @description Successful Response */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["EvidenceFileOut"];
                };
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            404: components["responses"]["Problem404"];
            405: components["responses"]["Problem405"];
            408: components["responses"]["Problem408"];
            409: components["responses"]["Problem409"];
            413: components["responses"]["Problem413"];
            414: components["responses"]["Problem414"];
            421: components["responses"]["Problem421"];
            422: components["responses"]["Problem422"];
            429: components["responses"]["Problem429"];
            431: components["responses"]["Problem431"];
            503: components["responses"]["Problem503"];
        };
    };
    download_waiver_file: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                waiver_id: number;
                file_id: number;
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
                    "application/octet-stream": string;
                };
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            404: components["responses"]["Problem404"];
            405: components["responses"]["Problem405"];
            408: components["responses"]["Problem408"];
            409: components["responses"]["Problem409"];
            413: components["responses"]["Problem413"];
            414: components["responses"]["Problem414"];
            421: components["responses"]["Problem421"];
            422: components["responses"]["Problem422"];
            429: components["responses"]["Problem429"];
            431: components["responses"]["Problem431"];
            503: components["responses"]["Problem503"];
        };
    };
    list_waived_findings: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                waiver_id: number;
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
                    "application/json": components["schemas"]["WaivedFindings"];
                };
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            404: components["responses"]["Problem404"];
            405: components["responses"]["Problem405"];
            408: components["responses"]["Problem408"];
            409: components["responses"]["Problem409"];
            413: components["responses"]["Problem413"];
            414: components["responses"]["Problem414"];
            421: components["responses"]["Problem421"];
            422: components["responses"]["Problem422"];
            429: components["responses"]["Problem429"];
            431: components["responses"]["Problem431"];
            503: components["responses"]["Problem503"];
        };
    };
    preview_requested_waiver: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                waiver_id: number;
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
                    "application/json": components["schemas"]["WaiverPreview"];
                };
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            404: components["responses"]["Problem404"];
            405: components["responses"]["Problem405"];
            408: components["responses"]["Problem408"];
            409: components["responses"]["Problem409"];
            413: components["responses"]["Problem413"];
            414: components["responses"]["Problem414"];
            421: components["responses"]["Problem421"];
            422: components["responses"]["Problem422"];
            429: components["responses"]["Problem429"];
            431: components["responses"]["Problem431"];
            503: components["responses"]["Problem503"];
        };
    };
    refuse_waiver: {
        parameters: {
            query?: never;
            header?: {
                /** @description a new key for each act (a random UUID); a repeat with it within 24 hours has no effect and gets the first answer again */
                "Idempotency-Key"?: string;
            };
            path: {
                waiver_id: number;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["WaiverReason"];
            };
        };
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WaiverDetail"];
                };
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            404: components["responses"]["Problem404"];
            405: components["responses"]["Problem405"];
            408: components["responses"]["Problem408"];
            409: components["responses"]["Problem409"];
            413: components["responses"]["Problem413"];
            414: components["responses"]["Problem414"];
            421: components["responses"]["Problem421"];
            422: components["responses"]["Problem422"];
            429: components["responses"]["Problem429"];
            431: components["responses"]["Problem431"];
            503: components["responses"]["Problem503"];
        };
    };
    withdraw_waiver: {
        parameters: {
            query?: never;
            header?: {
                /** @description a new key for each act (a random UUID); a repeat with it within 24 hours has no effect and gets the first answer again */
                "Idempotency-Key"?: string;
            };
            path: {
                waiver_id: number;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["WaiverReason"];
            };
        };
        responses: {
            /** @description Successful Response */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WaiverDetail"];
                };
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            404: components["responses"]["Problem404"];
            405: components["responses"]["Problem405"];
            408: components["responses"]["Problem408"];
            409: components["responses"]["Problem409"];
            413: components["responses"]["Problem413"];
            414: components["responses"]["Problem414"];
            421: components["responses"]["Problem421"];
            422: components["responses"]["Problem422"];
            429: components["responses"]["Problem429"];
            431: components["responses"]["Problem431"];
            503: components["responses"]["Problem503"];
        };
    };
    read_watch_charts: {
        parameters: {
            query?: {
                series?: string[];
            };
            header?: never;
            path: {
                watch_id: number;
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
                    "application/json": components["schemas"]["Charts"];
                };
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            404: components["responses"]["Problem404"];
            405: components["responses"]["Problem405"];
            408: components["responses"]["Problem408"];
            409: components["responses"]["Problem409"];
            413: components["responses"]["Problem413"];
            414: components["responses"]["Problem414"];
            421: components["responses"]["Problem421"];
            422: components["responses"]["Problem422"];
            429: components["responses"]["Problem429"];
            431: components["responses"]["Problem431"];
            503: components["responses"]["Problem503"];
        };
    };
    stop_watch: {
        parameters: {
            query?: never;
            header?: {
                /** @description a new key for each act (a random UUID); a repeat with it within 24 hours has no effect and gets the first answer again */
                "Idempotency-Key"?: string;
            };
            path: {
                watch_id: number;
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
                    "application/json": components["schemas"]["WatchOut"];
                };
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            404: components["responses"]["Problem404"];
            405: components["responses"]["Problem405"];
            408: components["responses"]["Problem408"];
            409: components["responses"]["Problem409"];
            413: components["responses"]["Problem413"];
            414: components["responses"]["Problem414"];
            421: components["responses"]["Problem421"];
            422: components["responses"]["Problem422"];
            429: components["responses"]["Problem429"];
            431: components["responses"]["Problem431"];
            503: components["responses"]["Problem503"];
        };
    };
    list_windows: {
        parameters: {
            query?: {
                group?: number | null;
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
                    "application/json": components["schemas"]["MaintenanceWindowOut"][];
                };
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            404: components["responses"]["Problem404"];
            405: components["responses"]["Problem405"];
            408: components["responses"]["Problem408"];
            409: components["responses"]["Problem409"];
            413: components["responses"]["Problem413"];
            414: components["responses"]["Problem414"];
            421: components["responses"]["Problem421"];
            422: components["responses"]["Problem422"];
            429: components["responses"]["Problem429"];
            431: components["responses"]["Problem431"];
            503: components["responses"]["Problem503"];
        };
    };
    make_window: {
        parameters: {
            query?: never;
            header?: {
                /** @description a new key for each act (a random UUID); a repeat with it within 24 hours has no effect and gets the first answer again */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["WindowCreate"];
            };
        };
        responses: {
            /** @description Successful Response */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["MaintenanceWindowOut"];
                };
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            404: components["responses"]["Problem404"];
            405: components["responses"]["Problem405"];
            408: components["responses"]["Problem408"];
            409: components["responses"]["Problem409"];
            413: components["responses"]["Problem413"];
            414: components["responses"]["Problem414"];
            421: components["responses"]["Problem421"];
            422: components["responses"]["Problem422"];
            429: components["responses"]["Problem429"];
            431: components["responses"]["Problem431"];
            503: components["responses"]["Problem503"];
        };
    };
    end_window: {
        parameters: {
            query?: never;
            header?: {
                /** @description a new key for each act (a random UUID); a repeat with it within 24 hours has no effect and gets the first answer again */
                "Idempotency-Key"?: string;
            };
            path: {
                window_id: number;
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
                    "application/json": components["schemas"]["MaintenanceWindowOut"];
                };
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            404: components["responses"]["Problem404"];
            405: components["responses"]["Problem405"];
            408: components["responses"]["Problem408"];
            409: components["responses"]["Problem409"];
            413: components["responses"]["Problem413"];
            414: components["responses"]["Problem414"];
            421: components["responses"]["Problem421"];
            422: components["responses"]["Problem422"];
            429: components["responses"]["Problem429"];
            431: components["responses"]["Problem431"];
            503: components["responses"]["Problem503"];
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
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            404: components["responses"]["Problem404"];
            405: components["responses"]["Problem405"];
            408: components["responses"]["Problem408"];
            409: components["responses"]["Problem409"];
            413: components["responses"]["Problem413"];
            414: components["responses"]["Problem414"];
            421: components["responses"]["Problem421"];
            422: components["responses"]["Problem422"];
            429: components["responses"]["Problem429"];
            431: components["responses"]["Problem431"];
            /** @description The database does not answer */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Health"];
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
                content: {
                    "text/plain": string;
                };
            };
            400: components["responses"]["Problem400"];
            401: components["responses"]["Problem401"];
            403: components["responses"]["Problem403"];
            404: components["responses"]["Problem404"];
            405: components["responses"]["Problem405"];
            408: components["responses"]["Problem408"];
            409: components["responses"]["Problem409"];
            413: components["responses"]["Problem413"];
            414: components["responses"]["Problem414"];
            421: components["responses"]["Problem421"];
            422: components["responses"]["Problem422"];
            429: components["responses"]["Problem429"];
            431: components["responses"]["Problem431"];
            503: components["responses"]["Problem503"];
        };
    };
}
