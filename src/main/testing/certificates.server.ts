// Certificates that tests make for servers on this machine.
import 'reflect-metadata'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import {
  BasicConstraintsExtension,
  KeyUsageFlags,
  KeyUsagesExtension,
  SubjectAlternativeNameExtension,
  X509CertificateGenerator,
} from '@peculiar/x509'

const SIGNING = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' }

/** A key and its certificate in PEM, for a server on this machine. It's its own authority. */
export async function madeCertificate(): Promise<{ key: string; certificate: string }> {
  const keys = await crypto.subtle.generateKey(SIGNING, true, ['sign', 'verify'])
  const certificate = await X509CertificateGenerator.createSelfSigned({
    serialNumber: crypto.randomUUID().replaceAll('-', ''),
    name: `CN=Test ${crypto.randomUUID()}`,
    notBefore: new Date(Date.now() - 86_400_000),
    notAfter: new Date(Date.now() + 86_400_000),
    signingAlgorithm: SIGNING,
    keys,
    extensions: [
      new BasicConstraintsExtension(true, 0, true),
      new SubjectAlternativeNameExtension([
        { type: 'dns', value: 'localhost' },
        { type: 'ip', value: '127.0.0.1' },
      ]),
    ],
  })
  return {
    key: await inPem(keys.privateKey),
    certificate: certificate.toString('pem'),
  }
}

const SEALING = {
  name: 'RSASSA-PKCS1-v1_5',
  hash: 'SHA-256',
  modulusLength: 2048,
  publicExponent: Uint8Array.of(1, 0, 1),
}

/**
 * Makes a key and a certificate that seal PDFs, with the authority that vouches for it, and writes them as an operator has
 * them. The certificate is valid for decades, unless a test says until when.
 */
export async function madeSeal(folder: string, validTo = new Date('2100-01-01')) {
  const newKeys = () => crypto.subtle.generateKey(SEALING, true, ['sign', 'verify'])
  const [authorityKeys, keys] = await Promise.all([newKeys(), newKeys()])
  const dates = { notBefore: new Date('2020-01-01'), notAfter: validTo }
  const authority = await X509CertificateGenerator.createSelfSigned({
    ...dates,
    serialNumber: '01',
    name: 'CN=Test authority',
    signingAlgorithm: SEALING,
    keys: authorityKeys,
    extensions: [new BasicConstraintsExtension(true, 0, true)],
  })
  const own = await X509CertificateGenerator.create({
    ...dates,
    // A number whose first bit is set.
    serialNumber: 'f1e2d3',
    subject: 'CN=Lindqvist Tutoring',
    issuer: authority.subject,
    signingAlgorithm: SEALING,
    publicKey: keys.publicKey,
    signingKey: authorityKeys.privateKey,
    extensions: [new KeyUsagesExtension(KeyUsageFlags.digitalSignature | KeyUsageFlags.nonRepudiation, true)],
  })
  const kept = (name: string, text: string) => {
    writeFileSync(join(folder, name), text)
    return join(folder, name)
  }
  return {
    SEAL_CERTIFICATE: kept('seal.pem', `${own.toString('pem')}\n${authority.toString('pem')}\n`),
    SEAL_KEY: kept('seal-key.pem', await inPem(keys.privateKey)),
    /** What a viewer has to trust. */
    authority: kept('seal-authority.pem', authority.toString('pem')),
  }
}

async function inPem(key: CryptoKey): Promise<string> {
  const pkcs8 = Buffer.from(await crypto.subtle.exportKey('pkcs8', key)).toString('base64')
  return ['-----BEGIN PRIVATE', `KEY-----\n${pkcs8}\n-----END PRIVATE`, 'KEY-----\n'].join(' ')
}
