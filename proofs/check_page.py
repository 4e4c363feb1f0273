#!/usr/bin/env python3
"""Checks closed months' pages (docs/page-format.md) without the server. Written from that document alone."""
import argparse
import base64
import hashlib
import json
import re
import sys


def sha256(data):
    return hashlib.sha256(data).digest()


# --- Ed25519 (RFC 8032, without context or prehashing) ---

P = 2**255 - 19
L = 2**252 + 27742317777372353535851937790883648493
D = -121665 * pow(121666, -1, P) % P
SQRT_M1 = pow(2, (P - 1) // 4, P)
IDENTITY = (0, 1, 1, 0)


def ed_add(p, q):
    a = (p[1] - p[0]) * (q[1] - q[0]) % P
    b = (p[1] + p[0]) * (q[1] + q[0]) % P
    c = 2 * p[3] * q[3] * D % P
    d = 2 * p[2] * q[2] % P
    e, f, g, h = b - a, d - c, d + c, b + a
    return e * f % P, g * h % P, f * g % P, e * h % P


def ed_mul(n, p):
    q = IDENTITY
    while n:
        if n & 1:
            q = ed_add(q, p)
        p = ed_add(p, p)
        n >>= 1
    return q


def ed_decode(data):
    """RFC 8032, 5.1.3. None if it isn't the encoding of a point."""
    y = int.from_bytes(data, "little")
    sign, y = y >> 255, y & (2**255 - 1)
    if y >= P:
        return None
    x2 = (y * y - 1) * pow(D * y * y + 1, -1, P) % P
    x = pow(x2, (P + 3) // 8, P)
    if (x * x - x2) % P:
        x = x * SQRT_M1 % P
    if (x * x - x2) % P or (x == 0 and sign):
        return None
    if x & 1 != sign:
        x = P - x
    return x, y, 1, x * y % P


def ed_encode(p):
    z = pow(p[2], -1, P)
    x, y = p[0] * z % P, p[1] * z % P
    return (y | (x & 1) << 255).to_bytes(32, "little")


ED_BASE = ed_decode((4 * pow(5, -1, P) % P).to_bytes(32, "little"))


def ed25519_verify(public_key, message, signature):
    if len(public_key) != 32 or len(signature) != 64:
        return False
    a = ed_decode(public_key)
    s = int.from_bytes(signature[32:], "little")
    if a is None or s >= L:
        return False
    k = int.from_bytes(hashlib.sha512(signature[:32] + public_key + message).digest(), "little") % L
    # RFC 8032 (5.1.7) allows the equation with or without the cofactor. This is the one without: it accepts
    # nothing that the other doesn't, and whoever signs as the RFC says passes both.
    minus_a = (P - a[0], a[1], 1, P - a[3])
    return ed_encode(ed_add(ed_mul(s, ED_BASE), ed_mul(k, minus_a))) == signature[:32]


# --- ECDSA on P-256 with SHA-256, the signature in DER ---
# Points are in Jacobian coordinates: (X, Y, Z) is (X/Z^2, Y/Z^3), and Z = 0 the point at infinity.

EP = 2**256 - 2**224 + 2**192 + 2**96 - 1
EN = 0xFFFFFFFF00000000FFFFFFFFFFFFFFFFBCE6FAADA7179E84F3B9CAC2FC632551
EB = 0x5AC635D8AA3A93E7B3EBBD55769886BC651D06B0CC53B0F63BCE3C3E27D2604B
EG = (0x6B17D1F2E12C4247F8BCE6E563A440F277037D812DEB33A0F4A13945D898C296,
      0x4FE342E2FE1A7F9B8EE7EB4A7C0F9E162BCE33576B315ECECBB6406837BF51F5)


def ec_double(p):
    x, y, z = p
    if not z or not y:
        return 0, 1, 0
    yy = y * y % EP
    s = 4 * x * yy % EP
    zz = z * z % EP
    m = 3 * (x - zz) * (x + zz) % EP
    x3 = (m * m - 2 * s) % EP
    return x3, (m * (s - x3) - 8 * yy * yy) % EP, 2 * y * z % EP


def ec_add(p, q):
    if not p[2]:
        return q
    if not q[2]:
        return p
    z1, z2 = p[2] * p[2] % EP, q[2] * q[2] % EP
    u1, u2 = p[0] * z2 % EP, q[0] * z1 % EP
    s1, s2 = p[1] * z2 * q[2] % EP, q[1] * z1 * p[2] % EP
    if u1 == u2:
        return ec_double(p) if s1 == s2 else (0, 1, 0)
    h, r = u2 - u1, s2 - s1
    h2 = h * h % EP
    h3, v = h * h2 % EP, u1 * h2 % EP
    x = (r * r - h3 - 2 * v) % EP
    return x, (r * (v - x) - s1 * h3) % EP, h * p[2] * q[2] % EP


def ec_mul(n, p):
    q = (0, 1, 0)
    while n:
        if n & 1:
            q = ec_add(q, p)
        p = ec_double(p)
        n >>= 1
    return q


def der_pair(data):
    """SEQUENCE of two positive INTEGERs in strict DER. None if it isn't that."""
    if len(data) < 2 or data[0] != 0x30 or data[1] > 0x7F or data[1] != len(data) - 2:
        return None
    rest, numbers = data[2:], []
    for _ in range(2):
        if len(rest) < 3 or rest[0] != 2 or not 1 <= rest[1] <= 33 or len(rest) < 2 + rest[1]:
            return None
        body, rest = rest[2:2 + rest[1]], rest[2 + rest[1]:]
        if body[0] & 0x80 or (len(body) > 1 and body[0] == 0 and not body[1] & 0x80):
            return None
        numbers.append(int.from_bytes(body, "big"))
    return None if rest else numbers


def p256_verify(x, y, message, signature):
    pair = der_pair(signature)
    if pair is None or len(x) != 32 or len(y) != 32:
        return False
    r, s = pair
    x, y = int.from_bytes(x, "big"), int.from_bytes(y, "big")
    if not (0 < r < EN and 0 < s < EN and x < EP and y < EP):
        return False
    if (y * y - (x * x * x - 3 * x + EB)) % EP:
        return False
    w = pow(s, -1, EN)
    e = int.from_bytes(sha256(message), "big")
    q = ec_add(ec_mul(e * w % EN, (*EG, 1)), ec_mul(r * w % EN, (x, y, 1)))
    return bool(q[2]) and q[0] * pow(q[2], -2, EP) % EP % EN == r


# --- RSASSA-PKCS1-v1_5 with SHA-256 (RFC 8017, 8.2.2) ---

# What comes before the digest in the DER of a DigestInfo for SHA-256 (RFC 8017, 9.2).
SHA256_INFO = bytes.fromhex("3031300d060960864801650304020105000420")


def rsa_verify(n, e, message, signature):
    n, e = int.from_bytes(n, "big"), int.from_bytes(e, "big")
    # The document sets no limits. These keep out only what isn't an RSA key, or would take very long: no
    # authenticator makes such keys, and refusing one can't make a page look more genuine than it is.
    if n % 2 == 0 or n.bit_length() > 16384 or e % 2 == 0 or not 3 <= e < 2**64:
        return False
    size = (n.bit_length() + 7) // 8
    value = int.from_bytes(signature, "big")
    info = SHA256_INFO + sha256(message)
    if len(signature) != size or value >= n or size < len(info) + 11:
        return False
    # Comparing with the only right padding leaves nothing to parse, so nothing can hide in it.
    padded = b"\0\1" + b"\xff" * (size - len(info) - 3) + b"\0" + info
    return pow(value, e, n).to_bytes(size, "big") == padded


# --- JSON, base64url, origins ---

def refuse(name):
    raise ValueError(name + " isn't JSON")


def json_object(text):
    """The object that a JSON text (bytes or str) is. ValueError if it isn't one."""
    if isinstance(text, bytes):
        text = text.decode("utf-8")
    try:
        # No number matters here, so each is read as 0: then Python's limit on digits can't refuse a long one,
        # and a number is never taken for a text. Python also takes NaN and Infinity, which JSON doesn't have.
        value = json.loads(text, parse_constant=refuse, parse_int=lambda _: 0, parse_float=lambda _: 0)
    except RecursionError:
        raise ValueError("nested too deeply") from None
    if not isinstance(value, dict):
        raise ValueError("not an object")
    return value


def base64url(text):
    """The bytes. ValueError if it isn't base64url without padding."""
    if not isinstance(text, str) or not re.fullmatch(r"[A-Za-z0-9_-]*", text) or len(text) % 4 == 1:
        raise ValueError("not base64url")
    data = base64.urlsafe_b64decode(text + "=" * (-len(text) % 4))
    if to_base64url(data) != text:
        # RFC 4648 (3.5) lets a decoder refuse unused bits that aren't 0, and lets no encoder set them.
        raise ValueError("not base64url as it has to be written")
    return data


def to_base64url(data):
    return base64.urlsafe_b64encode(data).rstrip(b"=").decode("ascii")


URL = re.compile(
    r"(https?)://([a-z0-9._-]+|\[[0-9a-f:.]+\])(?::([0-9]{1,5}))?(?:[/?#][^\x00-\x20\\]*)?", re.I | re.A)


def origin_of(url):
    """(The origin as a browser writes it, its host name). ValueError if it has none.

    A host that isn't ASCII is refused: in a URL it's written in ASCII, and in an origin too.
    """
    match = URL.fullmatch(url) if isinstance(url, str) else None
    if not match or int(match[3] or 0) > 65535:
        raise ValueError("the url has no origin")
    scheme, host, port = match[1].lower(), match[2].lower(), match[3]
    # A browser leaves out the scheme's own port.
    if port is None or int(port) == {"http": 80, "https": 443}[scheme]:
        return f"{scheme}://{host}", host
    return f"{scheme}://{host}:{int(port)}", host


# --- The format ---

class NotGenuine(Exception):
    """Its argument is the answer, one of those under "Test vectors" in the document."""


def read_keys(path):
    """{id: public key}. ValueError if the file has to be refused."""
    with open(path, "rb") as file:
        data = json_object(file.read())
    if data.get("format") != "tutorlog-page-keys-1" or not isinstance(data.get("keys"), list):
        raise ValueError("not a tutorlog-page-keys-1")
    keys = {}
    for key in data["keys"]:
        public = key.get("public_key") if isinstance(key, dict) else None
        if not isinstance(public, str) or not re.fullmatch(r"[0-9a-f]{64}", public):
            raise ValueError("a public_key isn't 64 hex digits")
        public = bytes.fromhex(public)
        if key.get("id") != sha256(public)[:16].hex():
            raise ValueError("a key has another id than its own")
        # `made_at` and `retired_at` don't matter: what a retired key signed stays valid.
        keys[key["id"]] = public
    return keys


MARK = b'stream\n{"format":"tutorlog-page-1",'


def attached_file(data):
    if not data.startswith(b"%PDF-"):
        return data
    if data.count(MARK) != 1:
        raise NotGenuine("no_page")
    start = data.index(MARK) + len(b"stream\n")
    end = data.find(b"\nendstream", start)
    if end < 0:
        raise NotGenuine("no_page")
    return data[start:end]


HEAD = b'{"format":"tutorlog-page-1","page":"'
TAIL = re.compile(rb'","key":"([0-9a-f]{32})","signature":"([0-9a-f]{128})"\}')
TAIL_SIZE = len('","key":"') + 32 + len('","signature":"') + 128 + len('"}')


def read_attached(data):
    """(The page's bytes, the key's id, the signature)."""
    # By its bytes, not as JSON: there's only one way to write each page, and JSON allows many.
    tail = TAIL.fullmatch(data[-TAIL_SIZE:])
    if not data.startswith(HEAD) or not tail or len(data) < len(HEAD) + TAIL_SIZE:
        raise NotGenuine("no_page")
    text = data[len(HEAD):-TAIL_SIZE]
    # Without the two escapes that are allowed, nothing may be left that a JSON string has to escape.
    if re.search(rb'[\x00-\x1f"\\]', re.sub(rb'\\["\\]', b"", text)):
        raise NotGenuine("no_page")
    return re.sub(rb'\\(["\\])', rb"\1", text), tail[1].decode(), bytes.fromhex(tail[2].decode())


def read_page(page_bytes):
    """(What both sides agreed to, the url, each side's passkey or None)."""
    try:
        page = json_object(page_bytes)
        if page.get("format") != "tutorlog-page-1":
            raise ValueError("another format")
        agreed, url = page["agreed"], page["url"]
        if not isinstance(agreed, str):
            raise ValueError("agreed isn't a text")
        json_object(agreed)
        # Half a surrogate pair, which JSON can escape, has no UTF-8: its SHA-256 couldn't be taken.
        agreed.encode("utf-8")
        origin_of(url)
        # Each answer has a `passkey`, maybe null. One without isn't taken for null, since that would let a
        # page look as if a side had none. `at` and `how` are only for showing.
        passkeys = [page["answers"][side]["passkey"] for side in ("family", "tutor")]
    except (ValueError, KeyError, TypeError):
        raise NotGenuine("no_page") from None
    return agreed, url, passkeys


def check_signature(keys, key, message, signature):
    if key not in keys:
        raise NotGenuine("unknown_key")
    if not ed25519_verify(keys[key], message, signature):
        raise NotGenuine("changed")


FILE_TAIL = re.compile(rb"\n%tutorlog-file-1 ([0-9a-f]{32}) ([0-9a-f]{128})\nstartxref\n[0-9]+\n%%EOF\n\Z")
# The document doesn't say how many digits a seal has. Any number is safe: zeros take the place of just as
# many digits, so all else, and the file's length, is still signed.
SEAL = re.compile(rb"\n/ByteRange \[0 [0-9]+ [0-9]+ [0-9]+\] *\n/Contents <([0-9a-f]+)>\n")


def check_pdf(keys, data):
    # The last such line is the only one that can be at the end, as what follows it there has no other.
    at = data.rfind(b"\n%tutorlog-file-1 ")
    tail = FILE_TAIL.match(data, at) if at >= 0 else None
    if not tail:
        raise NotGenuine("changed")
    signed = bytearray(data)
    seal = SEAL.search(data)
    for start, end in [tail.span(2)] + ([seal.span(1)] if seal else []):
        signed[start:end] = b"0" * (end - start)
    message = b"tutorlog-file-1\n" + hashlib.sha256(signed).hexdigest().encode()
    check_signature(keys, tail[1].decode(), message, bytes.fromhex(tail[2].decode()))


def passkey_holds(passkey, agreed, url):
    """Whether it holds. ValueError if something in it can't be read, so that it doesn't."""
    if not isinstance(passkey, dict) or not isinstance(passkey.get("key"), dict):
        return False
    key, nonce = passkey["key"], passkey.get("nonce")
    base64url(nonce)
    authenticator_data, client_data, signature = (
        base64url(passkey.get(name)) for name in ("authenticator_data", "client_data", "signature"))
    origin, host = origin_of(url)
    client = json_object(client_data)
    challenge = to_base64url(sha256(nonce.encode() + b"\n" + agreed.encode("utf-8")))
    if client.get("type") != "webauthn.get" or client.get("origin") != origin:
        return False
    if client.get("challenge") != challenge:
        return False
    # WebAuthn's longer minimum is one of its further rules, which don't matter here.
    if len(authenticator_data) < 33 or authenticator_data[:32] != sha256(host.encode()):
        return False
    if not authenticator_data[32] & 1:
        return False
    signed = authenticator_data + sha256(client_data)
    match key.get("kty"), key.get("crv"):
        case "EC", "P-256":
            return p256_verify(base64url(key.get("x")), base64url(key.get("y")), signed, signature)
        case "OKP", "Ed25519":
            return ed25519_verify(base64url(key.get("x")), signed, signature)
        case "RSA", _:
            return rsa_verify(base64url(key.get("n")), base64url(key.get("e")), signed, signature)
    return False


def check(keys, data):
    """Raises NotGenuine with the first answer that applies."""
    page_bytes, key, signature = read_attached(attached_file(data))
    agreed, url, passkeys = read_page(page_bytes)
    check_signature(keys, key, b"tutorlog-page-1\n" + page_bytes, signature)
    if data.startswith(b"%PDF-"):
        check_pdf(keys, data)
    for passkey in passkeys:
        try:
            holds = passkey is None or passkey_holds(passkey, agreed, url)
        except ValueError:
            holds = False
        if not holds:
            raise NotGenuine("passkey")


# --- The command ---

def answer_for(keys, name):
    try:
        with open(name, "rb") as file:
            data = file.read()
    except (OSError, ValueError):  # ValueError: a name with a zero byte
        return "unreadable"
    try:
        check(keys, data)
    except NotGenuine as error:
        return error.args[0]
    return "genuine"


class Parser(argparse.ArgumentParser):
    def error(self, message):
        # Argparse would exit with 2, but all that isn't "all are genuine" is 1 here.
        self.print_usage(sys.stderr)
        self.exit(1, f"{self.prog}: {message}\n")


def main():
    # Names of files may be any bytes.
    for stream in (sys.stdin, sys.stdout):
        stream.reconfigure(errors="surrogateescape")
    parser = Parser(description=__doc__, epilog="A file that can't be read is `unreadable`.",
                    allow_abbrev=False)
    parser.add_argument("--keys", action="append", required=True, metavar="KEYS.json",
                        help="public keys to trust; may be given more than once")
    parser.add_argument("--json", action="store_true", help="answer with one line of JSON per file")
    parser.add_argument("files", nargs="*", metavar="FILE",
                        help="PDFs or attached files; without any, one name per line from standard input")
    options = parser.parse_args()
    keys = {}
    for path in options.keys:
        try:
            keys.update(read_keys(path))
        except (OSError, ValueError) as error:
            parser.exit(1, f"{path}: refused: {error}\n")
    code = 0
    for name in options.files or (line.removesuffix("\n") for line in sys.stdin):
        answer = answer_for(keys, name)
        # Flushed, so that a program that writes names one by one gets each answer before the next.
        line = json.dumps({"file": name, "answer": answer}) if options.json else f"{name}: {answer}"
        print(line, flush=True)
        if answer != "genuine":
            code = 1
    return code


if __name__ == "__main__":
    sys.exit(main())
