// A PDF's seal: a standard signature of the whole file (ISO 32000, adbe.pkcs7.detached) with a certificate that the
// operator provides, so that PDF viewers name who vouches for the file.
import {
  Attribute,
  CertificateChoices,
  CertificateSet,
  CMSVersion,
  ContentInfo,
  DigestAlgorithmIdentifier,
  DigestAlgorithmIdentifiers,
  EncapsulatedContentInfo,
  id_data as DATA,
  id_signedData as SIGNED_DATA,
  IssuerAndSerialNumber,
  SignatureAlgorithmIdentifier,
  SignedData,
  SignerIdentifier,
  SignerInfo,
  SignerInfos,
} from '@peculiar/asn1-cms'
import {
  AsnArray,
  AsnConvert,
  AsnObjectIdentifierConverter,
  AsnType,
  AsnTypeTypes,
  OctetString,
} from '@peculiar/asn1-schema'
import { Certificate } from '@peculiar/asn1-x509'
import { createHash, createPrivateKey, type KeyObject, sign, X509Certificate } from 'node:crypto'
import { readFileSync } from 'node:fs'
import type { SealPlan } from './paper.server.ts'
import { sealPlace } from './seal-place.ts'

/** What seals files. */
export interface Seal {
  /** The signer's own first, then those that vouch for it. */
  certificates: readonly Certificate[]
  key: KeyObject
  validFrom: Date
  validTo: Date
  /** How many bytes a signature has. It's the same for every file. */
  size: number
}

const SHA256 = '2.16.840.1.101.3.4.2.1'
const RSA = '1.2.840.113549.1.1.1'
const CONTENT_TYPE = '1.2.840.113549.1.9.3'
const MESSAGE_DIGEST = '1.2.840.113549.1.9.4'
const NULL = Uint8Array.of(5, 0).buffer
const LEAST_RSA_BITS = 2048

/** What's signed: the attributes as a set of their own. Inside a signature they have another tag. */
class Attributes extends AsnArray<Attribute> {}
AsnType({ type: AsnTypeTypes.Set, itemType: Attribute })(Attributes)

/**
 * Reads a certificate (PEM, followed by those that vouch for it) and its key (PEM, without a passphrase). Throws a
 * one-line Error that names the setting. Whether it's still valid is asked each time a file is sealed.
 */
export function openSeal(certificateFile: string, keyFile: string): Seal {
  const chain = parsed('SEAL_CERTIFICATE', certificateFile, 'certificates in PEM, your own first', readChain)
  const key = parsed('SEAL_KEY', keyFile, 'a private key in PEM without a passphrase', createPrivateKey)
  const [own] = chain
  // Other kinds of keys sign the same bytes differently each time, and both sides get the same file.
  if (key.asymmetricKeyType !== 'rsa' || (key.asymmetricKeyDetails?.modulusLength ?? 0) < LEAST_RSA_BITS)
    throw new Error(`SEAL_KEY is not valid: it has to be an RSA key with at least ${LEAST_RSA_BITS} bits.`)
  if (!own.checkPrivateKey(key))
    throw new Error('SEAL_KEY is not valid: it is not the key of the first certificate in SEAL_CERTIFICATE.')
  const seal = {
    certificates: chain.map(({ raw }) => AsnConvert.parse(raw, Certificate)),
    key,
    validFrom: new Date(own.validFrom),
    validTo: new Date(own.validTo),
  }
  return { ...seal, size: signatureOf(seal, Buffer.alloc(0)).length }
}

function readChain(pem: string): [X509Certificate, ...X509Certificate[]] {
  const [own, ...others] = pem.match(/-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g) ?? []
  if (own === undefined) throw new Error('no certificate')
  return [new X509Certificate(own), ...others.map((one) => new X509Certificate(one))]
}

/** Neither message has the path: somebody may have pasted the key in its place. */
function parsed<Read>(name: string, path: string, valid: string, read: (text: string) => Read): Read {
  let text: string
  try {
    text = readFileSync(path, 'utf8')
  } catch (error) {
    const { code = 'unknown' } = error as NodeJS.ErrnoException
    const reason = `the file that it names cannot be read (${code}). Correct it or leave it out.`
    throw new Error(`${name} is not valid: ${reason}`, { cause: error })
  }
  try {
    return read(text)
  } catch (error) {
    throw new Error(`${name} is not valid: the file that it names is not ${valid}.`, { cause: error })
  }
}

/** Whether viewers would accept a seal that's made now. */
export function isValidAt({ validFrom, validTo }: Pick<Seal, 'validFrom' | 'validTo'>, now: Date): boolean {
  return validFrom <= now && now <= validTo
}

/**
 * How a file of this moment is sealed. The seal says this moment, not the one when it was made, so that it's the same
 * whenever it's made. If the certificate is more recent, it says since when that is valid.
 */
export function sealPlan({ size, validFrom }: Seal, moment: Date): SealPlan {
  return { bytes: size, at: moment < validFrom ? validFrom : moment }
}

/** What a start says about a certificate that isn't valid now. */
export function whyUnsealed(seal: Seal | undefined, now: Date): string | undefined {
  if (!seal || isValidAt(seal, now)) return undefined
  const [when, day] =
    seal.validTo < now ? ['expired on', seal.validTo] : ['is not valid before', seal.validFrom]
  return `SEAL_CERTIFICATE ${when} ${day.toISOString().slice(0, 10)}: the pages of closed months get no seal`
}

/** Writes which bytes the seal covers: all but the seal itself. The file's length has to be final. */
export function withCoveredBytes(pdf: Buffer): Buffer {
  const { range, start, end } = placeIn(pdf)
  const numbers = `[0 ${start - 1} ${end + 1} ${pdf.length - end - 1}]`
  const written = Buffer.from(pdf)
  written.write(numbers.padEnd(range.length), range.start, 'latin1')
  return written
}

/** Seals a file. Nothing else in it may change afterward. */
export function sealed(pdf: Buffer, seal: Seal): Buffer {
  const { start, end } = placeIn(pdf)
  const covered = Buffer.concat([pdf.subarray(0, start - 1), pdf.subarray(end + 1)])
  const signature = signatureOf(seal, covered).toString('hex')
  if (signature.length !== end - start) throw new Error('the seal doesn’t fit in its place')
  const done = Buffer.from(pdf)
  done.write(signature, start, 'latin1')
  return done
}

function placeIn(pdf: Buffer) {
  const place = sealPlace(pdf.toString('latin1'))
  if (!place) throw new Error('the file has no place for a seal')
  return place
}

/** A detached signature (CMS, RFC 5652). */
function signatureOf({ certificates, key }: Pick<Seal, 'certificates' | 'key'>, content: Buffer): Buffer {
  const [own = new Certificate()] = certificates
  const { issuer, serialNumber } = own.tbsCertificate
  const digestAlgorithm = new DigestAlgorithmIdentifier({ algorithm: SHA256 })
  const digest = createHash('sha256').update(content).digest()
  const attributes = [
    new Attribute({ attrType: CONTENT_TYPE, attrValues: [AsnObjectIdentifierConverter.toASN(DATA).toBER()] }),
    new Attribute({ attrType: MESSAGE_DIGEST, attrValues: [AsnConvert.serialize(new OctetString(digest))] }),
  ]
  const signature = sign('sha256', Buffer.from(AsnConvert.serialize(new Attributes(attributes))), key)
  const signer = new SignerInfo({
    version: CMSVersion.v1,
    sid: new SignerIdentifier({ issuerAndSerialNumber: new IssuerAndSerialNumber({ issuer, serialNumber }) }),
    digestAlgorithm,
    signedAttrs: attributes,
    signatureAlgorithm: new SignatureAlgorithmIdentifier({ algorithm: RSA, parameters: NULL }),
    signature: new OctetString(signature),
  })
  const signed = new SignedData({
    version: CMSVersion.v1,
    digestAlgorithms: new DigestAlgorithmIdentifiers([digestAlgorithm]),
    encapContentInfo: new EncapsulatedContentInfo({ eContentType: DATA }),
    certificates: new CertificateSet(
      certificates.map((certificate) => new CertificateChoices({ certificate })),
    ),
    signerInfos: new SignerInfos([signer]),
  })
  const whole = new ContentInfo({ contentType: SIGNED_DATA, content: AsnConvert.serialize(signed) })
  return Buffer.from(AsnConvert.serialize(whole))
}
