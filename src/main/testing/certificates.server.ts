// Certificates that tests make for servers on this machine.
import 'reflect-metadata'
import {
  BasicConstraintsExtension,
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
  const pkcs8 = Buffer.from(await crypto.subtle.exportKey('pkcs8', keys.privateKey)).toString('base64')
  return {
    key: ['-----BEGIN PRIVATE', `KEY-----\n${pkcs8}\n-----END PRIVATE`, 'KEY-----\n'].join(' '),
    certificate: certificate.toString('pem'),
  }
}
