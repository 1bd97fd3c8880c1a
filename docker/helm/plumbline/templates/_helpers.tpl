{{- define "plumbline.name" -}}
{{- .Release.Name | trunc 40 | trimSuffix "-" -}}
{{- end -}}

{{- define "plumbline.labels" -}}
app.kubernetes.io/name: plumbline
app.kubernetes.io/instance: {{ .Release.Name }}
app.kubernetes.io/version: {{ .Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ .Release.Service }}
{{- end -}}

{{- define "plumbline.image" -}}
{{- $repository := required "image.repository: the image that you built from docker/Dockerfile" .Values.image.repository -}}
{{- if .Values.image.digest -}}
{{ $repository }}@{{ .Values.image.digest }}
{{- else -}}
{{ $repository }}:{{ required "image.tag, or image.digest" .Values.image.tag }}
{{- end -}}
{{- end -}}

{{- /* The URL of the database for one role; the password comes from the variable before it. */ -}}
{{- define "plumbline.databaseUrl" -}}
{{- $database := .root.Values.database -}}
{{- $hosts := splitList "," (required "database.host: your PostgreSQL" $database.host) -}}
{{- $ports := list -}}{{- range $hosts -}}{{- $ports = append $ports (toString $database.port) -}}{{- end -}}
{{- $query := printf "host=%s&port=%s" (join "," $hosts) (join "," $ports) -}}
{{- if gt (len $hosts) 1 -}}{{- $query = printf "%s&target_session_attrs=read-write" $query -}}{{- end -}}
{{- if $database.options -}}{{- $query = printf "%s&%s" $query $database.options -}}{{- end -}}
postgresql+psycopg://plumbline_{{ .role }}:$(DATABASE_PASSWORD)@/{{ $database.name }}?{{ $query }}
{{- end -}}

{{- define "plumbline.password" -}}
valueFrom:
  secretKeyRef:
    name: {{ required "database.existingSecret: the passwords of the database" .root.Values.database.existingSecret }}
    key: {{ .role }}-password
{{- end -}}

{{- /* The settings of one kind of process. */ -}}
{{- define "plumbline.environment" -}}
- name: DATABASE_PASSWORD
  {{- include "plumbline.password" . | nindent 2 }}
- name: PLUMBLINE_DATABASE_URL
  value: {{ include "plumbline.databaseUrl" . | quote }}
- name: PLUMBLINE_REDIS_URL
  valueFrom:
    secretKeyRef:
      name: {{ required "broker.existingSecret: the URL of the broker" .root.Values.broker.existingSecret }}
      key: url
- name: PLUMBLINE_PUBLIC_URL
  value: {{ required "publicUrl: the address that people and agents use" .root.Values.publicUrl | quote }}
- name: PLUMBLINE_IS_TLS
  value: "true"
- name: PLUMBLINE_KEYS_FOLDER
  value: /keys
{{- if eq .kind "api" }}
- name: PLUMBLINE_TRUSTED_PROXIES
  value: {{ required "trustedProxies: what ends TLS in front of the API" .root.Values.trustedProxies | quote }}
{{- with .root.Values.allowedHosts }}
- name: PLUMBLINE_ALLOWED_HOSTS
  value: {{ . | quote }}
{{- end }}
{{- end }}
{{- range $name, $value := .root.Values.settings }}
- name: {{ $name }}
  value: {{ $value | quote }}
{{- end }}
{{- end -}}

{{- define "plumbline.podSecurity" -}}
runAsNonRoot: true
runAsUser: 10001
runAsGroup: 10001
fsGroup: 10001
seccompProfile: {type: RuntimeDefault}
{{- end -}}

{{- define "plumbline.containerSecurity" -}}
allowPrivilegeEscalation: false
readOnlyRootFilesystem: true
capabilities: {drop: [ALL]}
{{- end -}}
