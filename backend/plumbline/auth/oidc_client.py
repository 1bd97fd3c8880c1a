"""OpenID Connect as a relying party with the code flow: requests to the provider, and what its answer must prove before it is trusted.

No database here. The provider's documents are read at each sign-in and not cached: people sign in a few times a day, and so a change of
the provider's keys takes effect at once. The libraries (authlib, joserfc) implement the protocol; this module decides what is required.
"""

import hmac
import ssl
import warnings
from collections.abc import Mapping
from contextlib import closing
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Any

import httpx
from authlib.deprecate import AuthlibDeprecationWarning
from authlib.integrations.base_client.errors import OAuthError
from authlib.oidc.core import CodeIDToken
from joserfc import jwt
from joserfc.errors import JoseError
from joserfc.jwk import KeySet

from plumbline.infra import http_client
from plumbline.infra.errors import PlumblineError

with warnings.catch_warnings():
    # authlib warns that a later version needs httpx's successor; the version here is pinned and works with httpx.
    warnings.simplefilter("ignore", AuthlibDeprecationWarning)
    from authlib.integrations.httpx_client import OAuth2Client

# Signatures that only the provider can make: not `none`, and not HS*, which the shared client secret can make.
ALGORITHMS = ("RS256", "RS384", "RS512", "PS256", "PS384", "PS512", "ES256", "ES384", "ES512", "Ed25519", "EdDSA")
# How far the provider's clock and this one may differ, in seconds.
LEEWAY_SECONDS = 60
MOST_GROUPS = 500
LONGEST_GROUP = 256
_LONGEST_SUBJECT = 255  # OpenID Connect Core 1.0, section 2


class ProviderFailed(PlumblineError):
    """Base of all that can go wrong with the provider. The sign-in page has a text for each `code`."""

    status = 502
    code = "provider_failed"


class ProviderUnreachable(ProviderFailed):
    """It does not answer, or answers with something that is not a provider's document."""

    code = "provider_unreachable"


class ProviderRefused(ProviderFailed):
    """It refuses: the person declined, or the client is not set up there."""

    code = "provider_refused"


class IdentityUnproven(ProviderFailed):
    """What it sent does not prove the person's identity: signature, issuer, audience, time or nonce are wrong."""

    code = "identity_unproven"


class GroupsUnknown(ProviderFailed):
    """It sent no list of groups, or only a reference to one, so the person's rights are unknown."""

    code = "groups_unknown"


@dataclass(frozen=True, slots=True)
class Client:
    """Plumbline as a client of the provider, and where the provider is."""

    issuer: str
    client_id: str
    client_secret: str
    redirect_uri: str
    scopes: str
    groups_claim: str
    login_claim: str
    ca_certificate: str = ""


@dataclass(frozen=True, slots=True)
class Documents:
    """The provider's own description of itself."""

    authorization_endpoint: str
    token_endpoint: str
    jwks_uri: str
    userinfo_endpoint: str = ""
    end_session_endpoint: str = ""
    token_auth_methods: tuple[str, ...] = ()
    challenge_methods: tuple[str, ...] = ()
    names_itself: bool = False


@dataclass(frozen=True, slots=True)
class Identity:
    """A person as the provider identifies them. `proven_at` is when they last authenticated there, None where it is not reported."""

    issuer: str
    subject: str
    login: str
    display_name: str
    groups: tuple[str, ...]
    proven_at: datetime | None


@dataclass(frozen=True, slots=True)
class SignInState:
    """The values that were sent to the provider with the person, and that its answer has to match."""

    state: str
    nonce: str
    code_verifier: str = field(repr=False)


def discover(client: Client) -> Documents:
    """Reads `/.well-known/openid-configuration`. The issuer in it has to equal the configured one exactly."""
    document = _get(client, client.issuer.rstrip("/") + "/.well-known/openid-configuration")
    if document.get("issuer") != client.issuer:
        raise ProviderUnreachable(
            f"the document at {client.issuer} names another issuer, {str(document.get('issuer'))[:200]!r}: set exactly that"
        )
    missing = [name for name in ("authorization_endpoint", "token_endpoint", "jwks_uri") if not isinstance(document.get(name), str)]
    if missing:
        raise ProviderUnreachable(f"the document at {client.issuer} lacks {', '.join(missing)}")
    for name in ("authorization_endpoint", "end_session_endpoint"):
        if document.get(name):
            _checked(str(document[name]), name)
    return Documents(
        authorization_endpoint=document["authorization_endpoint"],
        token_endpoint=document["token_endpoint"],
        jwks_uri=document["jwks_uri"],
        userinfo_endpoint=str(document.get("userinfo_endpoint") or ""),
        end_session_endpoint=str(document.get("end_session_endpoint") or ""),
        token_auth_methods=tuple(map(str, document.get("token_endpoint_auth_methods_supported") or ("client_secret_basic",))),
        challenge_methods=tuple(map(str, document.get("code_challenge_methods_supported") or ())),
        names_itself=document.get("authorization_response_iss_parameter_supported") is True,
    )


def read_keys(client: Client, documents: Documents) -> KeySet:
    """The provider's public keys, as they are now."""
    try:
        return KeySet.import_key_set(_get(client, documents.jwks_uri))  # type: ignore[arg-type]
    except (JoseError, KeyError, TypeError, ValueError) as error:
        raise ProviderUnreachable(f"the keys at {documents.jwks_uri} can't be read") from error


def authorization_url(client: Client, documents: Documents, sent: SignInState, *, is_fresh: bool, most_age_seconds: int) -> str:
    """The address that the person is sent to. `is_fresh`: they must authenticate again, even with a session at the provider."""
    how = {"prompt": "login", "max_age": 0} if is_fresh else {"max_age": most_age_seconds}
    with closing(_oauth(client, documents)) as oauth:
        url, _ = oauth.create_authorization_url(
            documents.authorization_endpoint, state=sent.state, nonce=sent.nonce, code_verifier=sent.code_verifier, **how
        )
    return str(url)


def identify(client: Client, documents: Documents, sent: SignInState, *, answer: Mapping[str, str], now: datetime) -> Identity:
    """The identity that the provider's answer proves. Raises a subclass of `ProviderFailed`.

    `answer` is the query with which the provider sent the person back; its state has to be the one that was sent.
    """
    if not hmac.compare_digest(answer.get("state", "").encode(), sent.state.encode()):
        raise IdentityUnproven("the answer belongs to another sign-in")
    issuer = answer.get("iss")
    if (issuer is None and documents.names_itself) or (issuer is not None and issuer != client.issuer):
        raise IdentityUnproven("the answer comes from another provider")
    if answer.get("error"):
        raise ProviderRefused(f"the provider answers {answer['error'][:100]!r}: {answer.get('error_description', '')[:300]}")
    if not answer.get("code"):
        raise IdentityUnproven("the answer holds no code")
    token = _exchange(client, documents, sent, answer["code"])
    claims = _verify(client, read_keys(client, documents), sent, token, now)
    return _identity(client, {**_user_info(client, documents, token, claims), **claims})


def _exchange(client: Client, documents: Documents, sent: SignInState, code: str) -> dict[str, Any]:
    try:
        with closing(_oauth(client, documents)) as oauth:
            token = oauth.fetch_token(
                documents.token_endpoint, grant_type="authorization_code", code=code, code_verifier=sent.code_verifier
            )
    except OAuthError as error:
        raise ProviderRefused(f"the provider rejected the code: {error.error} {error.description or ''}".strip()[:400]) from error
    except (httpx.HTTPError, ssl.SSLError, ValueError) as error:
        raise _unreachable(documents.token_endpoint, error) from error
    if not isinstance(token.get("id_token"), str):
        raise IdentityUnproven("the provider sent no ID token: the scope openid has to be allowed for this client")
    return dict(token)


def _verify(client: Client, keys: KeySet, sent: SignInState, token: Mapping[str, Any], now: datetime) -> dict[str, Any]:
    """The claims of the ID token, after all checks of it."""
    required = {"iss": {"essential": True, "value": client.issuer}, "aud": {"essential": True, "value": client.client_id}}
    known = {"nonce": sent.nonce, "client_id": client.client_id, "access_token": token.get("access_token")}
    try:
        token_read = jwt.decode(token["id_token"], keys, algorithms=list(ALGORITHMS))
        claims = CodeIDToken(token_read.claims, token_read.header, options=required, params=known)
        claims.validate(now=int(now.timestamp()), leeway=LEEWAY_SECONDS)
    except (JoseError, OAuthError, ValueError, TypeError) as error:
        raise IdentityUnproven(f"the ID token does not hold: {error}"[:300]) from error
    # The library accepts further audiences where `azp` names this client; here a token for others too is refused.
    if claims["aud"] not in (client.client_id, [client.client_id]):
        raise IdentityUnproven("the ID token was issued for other clients too")
    subject = claims["sub"]
    if not isinstance(subject, str) or not 0 < len(subject) <= _LONGEST_SUBJECT or not subject.isprintable():
        raise IdentityUnproven("the ID token names no usable subject")
    return dict(claims)


def _user_info(client: Client, documents: Documents, token: Mapping[str, Any], claims: Mapping[str, Any]) -> dict[str, Any]:
    """Claims from the userinfo endpoint, for the same person; empty where the ID token has the groups already."""
    if client.groups_claim in claims or not documents.userinfo_endpoint or not token.get("access_token"):
        return {}
    document = _get(client, documents.userinfo_endpoint, bearer=str(token["access_token"]))
    if document.get("sub") != claims["sub"]:
        raise IdentityUnproven("the provider returned two users at once")
    return document


def _identity(client: Client, claims: Mapping[str, Any]) -> Identity:
    proven_at = claims.get("auth_time")
    is_time = isinstance(proven_at, int | float) and 0 < proven_at < 2**33
    return Identity(
        issuer=client.issuer,
        subject=claims["sub"],
        login=_first_text(claims, client.login_claim, "email") or claims["sub"],
        display_name=_first_text(claims, "name", client.login_claim) or claims["sub"],
        groups=groups_of(claims, client.groups_claim),
        proven_at=datetime.fromtimestamp(proven_at, UTC) if is_time and proven_at is not None else None,
    )


def groups_of(claims: Mapping[str, Any], name: str) -> tuple[str, ...]:
    """The groups that the provider names, sorted. An empty list is valid; a missing claim is not."""
    if name not in claims:
        elsewhere = name in (claims.get("_claim_names") or {})
        why = (
            "the provider returned a link to the groups instead of the groups, because there are too many"
            if elsewhere
            else f"the provider sends no “{name}”"
        )
        raise GroupsUnknown(f"{why}: let it send the groups of this client in the claim “{name}”")
    claim = claims[name]
    listed = [claim] if isinstance(claim, str) else claim
    if not isinstance(listed, list) or any(not isinstance(group, str) for group in listed):
        raise GroupsUnknown(f"the claim “{name}” is no list of names")
    if len(listed) > MOST_GROUPS:
        raise GroupsUnknown(
            f"the provider names {len(listed)} groups; at most {MOST_GROUPS} are taken: let it send those of this client only"
        )
    return tuple(sorted({group for group in listed if 0 < len(group) <= LONGEST_GROUP and group.isprintable()}))


def _first_text(claims: Mapping[str, Any], *names: str) -> str:
    """The first of these claims that is a usable text; empty where none is."""
    values = (claims.get(name) for name in names)
    return next((value.strip()[:120] for value in values if isinstance(value, str) and value.strip() and value.isprintable()), "")


def end_session_url(client: Client, documents: Documents, *, back_to: str) -> str:
    """The page where a person ends the session with the provider too; empty where it has none."""
    if not documents.end_session_endpoint:
        return ""
    parameters = {"client_id": client.client_id, "post_logout_redirect_uri": back_to}
    return str(httpx.URL(documents.end_session_endpoint).copy_merge_params(parameters))


def _oauth(client: Client, documents: Documents) -> Any:
    methods = documents.token_auth_methods
    if not client.client_secret:
        method = "none"
    else:
        method = "client_secret_post" if "client_secret_basic" not in methods and "client_secret_post" in methods else "client_secret_basic"
    return OAuth2Client(
        client_id=client.client_id,
        client_secret=client.client_secret or None,
        token_endpoint_auth_method=method,
        scope=client.scopes,
        redirect_uri=client.redirect_uri,
        code_challenge_method="S256",
        **http_client.client_options(client.ca_certificate),
    )


def _get(client: Client, url: str, *, bearer: str = "") -> dict[str, Any]:
    try:
        document = http_client.get_json(url, ca_certificate=client.ca_certificate, bearer=bearer)
    except (httpx.HTTPError, ssl.SSLError, ValueError) as error:
        raise _unreachable(url, error) from error
    if not isinstance(document, dict):
        raise ProviderUnreachable(f"{url} answers with no JSON object")
    return document


def _checked(url: str, name: str) -> None:
    try:
        http_client.check_url(url)
    except http_client.AddressRefused as error:
        raise ProviderUnreachable(f"the provider's {name} can't be used: {error}") from error


def _unreachable(url: str, error: Exception) -> ProviderUnreachable:
    if isinstance(error, httpx.HTTPStatusError):
        return ProviderUnreachable(f"{url} answers {error.response.status_code}")
    if isinstance(error, httpx.TimeoutException):
        return ProviderUnreachable(f"{url} does not answer in time")
    if isinstance(error, ValueError) and not isinstance(error, ssl.SSLError):
        return ProviderUnreachable(f"{url} answers with no JSON")
    return ProviderUnreachable(f"{url} is unreachable: {error}"[:300])
