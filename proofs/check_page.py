"""Checks pages of closed months without the server: python3 proofs/check_page.py --keys KEYS_FILE FILE...

Written from docs/page-format.md alone, with the standard library alone. Prints a line for each file: "genuine" and what the
page says, or why it isn't genuine ("changed", "unknown_key", "passkey", "no_page"). Exits with 1 if a file isn't genuine.
With --json, each line is a JSON object.
"""

import argparse
import base64
import hashlib
import json
import re
import sys
from urllib.parse import urlsplit

PAGE_FORMAT = "tutorlog-page-1"
FILE_FORMAT = "tutorlog-file-1"
KEYS_FORMAT = "tutorlog-page-keys-1"

ATTACHED = re.compile(rb'stream\n(?=\{"format":"tutorlog-page-1",)')
ENVELOPE = re.compile(
    r'\{"format":"tutorlog-page-1","page":"((?:[^"\\]|\\["\\])*)","key":"([0-9a-f]{32})","signature":"([0-9a-f]{128})"\}',
    re.DOTALL,
)
SIGNED_END = re.compile(
    rb"\n%tutorlog-file-1 ([0-9a-f]{32}) ([0-9a-f]{128})\nstartxref\n[0-9]+\n%%EOF\n\Z"
)
SEAL = re.compile(rb"\n/ByteRange \[0 [0-9]+ [0-9]+ [0-9]+\] *\n/Contents <([0-9a-f]+)>\n")


class NotGenuine(Exception):
    """The reason is one of those in the format's expected.json."""


# Ed25519 (RFC 8032, section 6), verification only.

P = 2**255 - 19
L = 2**252 + 27742317777372353535851937790883648493
D = -121665 * pow(121666, -1, P) % P
ROOT = pow(2, (P - 1) // 4, P)


def ed_add(a, b):
    x = (a[1] - a[0]) * (b[1] - b[0]) % P
    y = (a[1] + a[0]) * (b[1] + b[0]) % P
    t = 2 * a[3] * b[3] * D % P
    z = 2 * a[2] * b[2] % P
    e, f, g, h = y - x, z - t, z + t, y + x
    return (e * f % P, g * h % P, f * g % P, e * h % P)


def ed_times(number, point):
    sum_ = (0, 1, 1, 0)
    while number:
        if number & 1:
            sum_ = ed_add(sum_, point)
        point = ed_add(point, point)
        number >>= 1
    return sum_


def ed_point(data):
    """The point of 32 bytes, or None."""
    y = int.from_bytes(data, "little")
    sign, y = y >> 255, y & (2**255 - 1)
    if y >= P:
        return None
    square = (y * y - 1) * pow(D * y * y + 1, -1, P) % P
    x = pow(square, (P + 3) // 8, P)
    if (x * x - square) % P:
        x = x * ROOT % P
    if (x * x - square) % P or (x == 0 and sign):
        return None
    if x & 1 != sign:
        x = P - x
    return (x, y, 1, x * y % P)


def ed_bytes(point):
    inverse = pow(point[2], -1, P)
    x, y = point[0] * inverse % P, point[1] * inverse % P
    return (y | (x & 1) << 255).to_bytes(32, "little")


BASE = ed_point((4 * pow(5, -1, P) % P).to_bytes(32, "little"))


def ed25519_holds(public_key, signature, message):
    if len(public_key) != 32 or len(signature) != 64:
        return False
    point, s = ed_point(public_key), int.from_bytes(signature[32:], "little")
    if point is None or s >= L:
        return False
    digest = hashlib.sha512(signature[:32] + public_key + message).digest()
    h = int.from_bytes(digest, "little") % L
    negative = (P - point[0], point[1], point[2], P - point[3])
    return ed_bytes(ed_add(ed_times(s, BASE), ed_times(h, negative))) == signature[:32]


# ECDSA on P-256 (FIPS 186-5), verification only.

EC_P = 2**256 - 2**224 + 2**192 + 2**96 - 1
EC_N = 0xFFFFFFFF00000000FFFFFFFFFFFFFFFFBCE6FAADA7179E84F3B9CAC2FC632551
EC_B = 0x5AC635D8AA3A93E7B3EBBD55769886BC651D06B0CC53B0F63BCE3C3E27D2604B
EC_G = (
    0x6B17D1F2E12C4247F8BCE6E563A440F277037D812DEB33A0F4A13945D898C296,
    0x4FE342E2FE1A7F9B8EE7EB4A7C0F9E162BCE33576B315ECECBB6406837BF51F5,
)


def ec_add(a, b):
    if a is None or b is None:
        return b if a is None else a
    if a[0] == b[0]:
        if (a[1] + b[1]) % EC_P == 0:
            return None
        slope = (3 * a[0] * a[0] - 3) * pow(2 * a[1], -1, EC_P)
    else:
        slope = (b[1] - a[1]) * pow(b[0] - a[0], -1, EC_P)
    x = (slope * slope - a[0] - b[0]) % EC_P
    return (x, (slope * (a[0] - x) - a[1]) % EC_P)


def ec_times(number, point):
    sum_ = None
    while number:
        if number & 1:
            sum_ = ec_add(sum_, point)
        point = ec_add(point, point)
        number >>= 1
    return sum_


def der_numbers(der):
    """The two integers of a DER sequence."""
    if len(der) < 2 or der[0] != 0x30 or der[1] != len(der) - 2:
        raise ValueError("not a sequence")
    numbers, at = [], 2
    while at < len(der):
        if der[at] != 2:
            raise ValueError("not an integer")
        size = der[at + 1]
        digits = der[at + 2 : at + 2 + size]
        if len(digits) != size or size == 0:
            raise ValueError("cut off")
        numbers.append(int.from_bytes(digits, "big", signed=True))
        at += 2 + size
    r, s = numbers
    return r, s


def p256_holds(x, y, signature, message):
    on_curve = (y * y - (x * x * x - 3 * x + EC_B)) % EC_P == 0
    r, s = der_numbers(signature)
    if not on_curve or not 0 < r < EC_N or not 0 < s < EC_N:
        return False
    digest = int.from_bytes(hashlib.sha256(message).digest(), "big")
    inverse = pow(s, -1, EC_N)
    point = ec_add(
        ec_times(digest * inverse % EC_N, EC_G), ec_times(r * inverse % EC_N, (x, y))
    )
    return point is not None and point[0] % EC_N == r


# RSASSA-PKCS1-v1_5 with SHA-256 (RFC 8017), verification only.

SHA256_INFO = bytes.fromhex("3031300d060960864801650304020105000420")


def rsa_holds(n, e, signature, message):
    size = (n.bit_length() + 7) // 8
    number = int.from_bytes(signature, "big")
    if len(signature) != size or number >= n or size < 128:
        return False
    end = b"\x00" + SHA256_INFO + hashlib.sha256(message).digest()
    expected = b"\x00\x01" + b"\xff" * (size - 2 - len(end)) + end
    return pow(number, e, n).to_bytes(size, "big") == expected


# The format.


def base64url(text):
    if not re.fullmatch(r"[A-Za-z0-9_-]*", text):
        raise ValueError("not base64url")
    return base64.urlsafe_b64decode(text + "=" * (-len(text) % 4))


def read_keys(path):
    with open(path, encoding="utf-8") as file:
        found = json.load(file)
    if found["format"] != KEYS_FORMAT:
        raise ValueError(f"{path} isn't a file of keys")
    keys = {}
    for key in found["keys"]:
        public_key = bytes.fromhex(key["public_key"])
        if hashlib.sha256(public_key).hexdigest()[:32] != key["id"]:
            raise ValueError(f"{path}: the key {key['id']} isn't the one of its bytes")
        keys[key["id"]] = public_key
    return keys


def signed_by(keys, key, signature, message):
    if key not in keys:
        raise NotGenuine("unknown_key")
    if not ed25519_holds(keys[key], bytes.fromhex(signature), message):
        raise NotGenuine("changed")


def attached_file(data):
    if not data.startswith(b"%PDF-"):
        return data
    starts = [found.end() for found in ATTACHED.finditer(data)]
    if len(starts) != 1:
        raise NotGenuine("no_page")
    end = data.find(b"\nendstream", starts[0])
    if end < 0:
        raise NotGenuine("no_page")
    return data[starts[0] : end]


def read_page(data):
    """The page, its key and its signature, and what the page and both sides' agreement say."""
    try:
        envelope = ENVELOPE.fullmatch(attached_file(data).decode("utf-8"))
        if not envelope:
            raise NotGenuine("no_page")
        page = re.sub(r"\\(.)", r"\1", envelope[1])
        facts = json.loads(page)
        agreed = json.loads(facts["agreed"])
        if facts["format"] != PAGE_FORMAT or not isinstance(agreed, dict):
            raise NotGenuine("no_page")
    except (UnicodeDecodeError, ValueError, KeyError, TypeError) as error:
        raise NotGenuine("no_page") from error
    return page, envelope[2], envelope[3], facts, agreed


def check_file(data, keys):
    end = SIGNED_END.search(data)
    if not end:
        raise NotGenuine("changed")
    unsigned = data[: end.start(2)] + b"0" * 128 + data[end.end(2) :]
    seal = SEAL.search(data)
    if seal:
        zeros = b"0" * len(seal[1])
        unsigned = unsigned[: seal.start(1)] + zeros + unsigned[seal.end(1) :]
    message = f"{FILE_FORMAT}\n{hashlib.sha256(unsigned).hexdigest()}"
    signed_by(keys, end[1].decode(), end[2].decode(), message.encode())


def passkey_holds(proof, facts):
    client_data = base64url(proof["client_data"])
    authenticator = base64url(proof["authenticator_data"])
    said = json.loads(client_data)
    url = urlsplit(facts["url"])
    challenge = hashlib.sha256(f"{proof['nonce']}\n{facts['agreed']}".encode()).digest()
    if (
        said["type"] != "webauthn.get"
        or said["origin"] != f"{url.scheme}://{url.netloc}"
        or base64url(said["challenge"]) != challenge
        or authenticator[:32] != hashlib.sha256((url.hostname or "").encode()).digest()
        or not authenticator[32] & 1
    ):
        return False
    message = authenticator + hashlib.sha256(client_data).digest()
    key, signature = proof["key"], base64url(proof["signature"])
    number = lambda name: int.from_bytes(base64url(key[name]), "big")
    if key["kty"] == "EC" and key["crv"] == "P-256":
        return p256_holds(number("x"), number("y"), signature, message)
    if key["kty"] == "OKP" and key["crv"] == "Ed25519":
        return ed25519_holds(base64url(key["x"]), signature, message)
    return key["kty"] == "RSA" and rsa_holds(number("n"), number("e"), signature, message)


def check(data, keys):
    """What the page says. Raises NotGenuine."""
    page, key, signature, facts, agreed = read_page(data)
    signed_by(keys, key, signature, f"{PAGE_FORMAT}\n{page}".encode())
    if data.startswith(b"%PDF-"):
        check_file(data, keys)
    for side in ("family", "tutor"):
        proof = facts["answers"][side]["passkey"]
        if proof is None:
            continue
        try:
            holds = passkey_holds(proof, facts)
        except (ValueError, KeyError, IndexError, TypeError):
            holds = False
        if not holds:
            raise NotGenuine("passkey")
    return facts, agreed


def summary(facts, agreed):
    sides = ", ".join(
        f"{side} on {answer['at']} ({answer['how'] or 'unknown'}{', signed' if answer['passkey'] else ''})"
        for side, answer in facts["answers"].items()
    )
    return (
        f"{agreed['month']}, {agreed['family']} with {agreed['tutor']}: {len(agreed['sessions'])} sessions, "
        f"due {agreed['due_cents']} {agreed['currency']} cents; {sides}"
    )


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--keys", required=True, action="append", help="a file of public keys")
    parser.add_argument("--json", action="store_true")
    parser.add_argument("files", nargs="*", help="PDFs or attached files; from standard input, one a line, if none")
    options = parser.parse_args()
    keys = {}
    for path in options.keys:
        keys.update(read_keys(path))
    files = options.files or [line.rstrip("\n") for line in sys.stdin]
    all_genuine = True
    for path in files:
        with open(path, "rb") as file:
            data = file.read()
        try:
            answer, words = "genuine", summary(*check(data, keys))
        except NotGenuine as reason:
            answer, words, all_genuine = str(reason), "", False
        if options.json:
            print(json.dumps({"file": path, "answer": answer}), flush=True)
        else:
            print(f"{path}: {answer}{'. ' + words if words else ''}")
    sys.exit(0 if all_genuine else 1)


if __name__ == "__main__":
    main()
