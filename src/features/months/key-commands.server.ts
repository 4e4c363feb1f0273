// The server's signatures on closed months' pages and on their files (docs/page-format.md).
import { createHash, createPrivateKey, generateKeyPairSync, sign } from 'node:crypto'
import type { Db } from '#platform/db/db.server.ts'
import { type Seal, sealed, withCoveredBytes } from '#platform/pdf/seal.server.ts'
import {
  keepSigned,
  listKeys,
  listUnsigned,
  lockKeys,
  type PageKey,
  readKeyInUse,
  replaceKey,
} from './key-queries.server.ts'
import {
  FILE_LINE,
  KEYS_FORMAT,
  type KeysFile,
  pageText,
  signedBytes,
  signedFileBytes,
  type SignedPage,
} from './signed-page.ts'

/** The key that signs pages now. It's made when it's first needed: on a new server, and after a restore. */
export async function keyInUse(db: Db, now: Date): Promise<PageKey> {
  const found = await db.readAsSystem(readKeyInUse)
  if (found) return found
  return db.asSystem(async (tx) => {
    await lockKeys(tx)
    const madeMeanwhile = await readKeyInUse(tx)
    if (madeMeanwhile) return madeMeanwhile
    const key = newKey()
    await replaceKey(tx, key, now)
    return key
  })
}

/** Deletes the private half of the key in use, and makes the next one. Returns its id. */
export async function rotateKey(db: Db, now: Date): Promise<string> {
  return db.asSystem(async (tx) => {
    await lockKeys(tx)
    const key = newKey()
    await replaceKey(tx, key, now)
    return key.id
  })
}

const AT_ONCE = 200

/**
 * At the start: makes a key if there's none, and signs the pages that were closed before pages were signed, as they're
 * stored. Returns how many.
 */
export async function preparePageKeys(db: Db, now: Date): Promise<number> {
  const key = await keyInUse(db, now)
  let signed = 0
  for (;;) {
    const contents = await db.readAsSystem((tx) => listUnsigned(tx, AT_ONCE))
    if (contents.length === 0) return signed
    await db.asSystem(async (tx) => {
      for (const content of contents)
        await keepSigned(tx, content.code, signPage(key, pageText(content, { signedAt: now.toISOString() })))
    })
    signed += contents.length
  }
}

/** What the server publishes. */
export async function publicKeys({ db, baseUrl }: { db: Db; baseUrl: string }): Promise<KeysFile> {
  return { format: KEYS_FORMAT, origin: baseUrl, keys: await db.readAsSystem(listKeys) }
}

export function newKey(): PageKey {
  const { d = '', x = '' } = generateKeyPairSync('ed25519').privateKey.export({ format: 'jwk' })
  const publicKey = Buffer.from(x, 'base64url')
  return { id: keyIdOf(publicKey), publicKey, privateKey: Buffer.from(d, 'base64url') }
}

function keyIdOf(publicKey: Buffer): string {
  return createHash('sha256').update(publicKey).digest('hex').slice(0, 32)
}

export function signPage(key: PageKey, page: string): SignedPage {
  return { page, key: key.id, signature: signatureOf(key, signedBytes(page)) }
}

/**
 * Signs all bytes of a PDF, in a comment before its last three lines. A seal is made after that, and covers the comment;
 * until then, its place has zeros, and so has the signature's.
 */
export function signFile(key: PageKey, pdf: Buffer, seal?: Seal): Buffer {
  const end = pdf.lastIndexOf('startxref\n')
  const line = `${FILE_LINE}${key.id} ${'0'.repeat(128)}\n`
  const unsigned = Buffer.concat([pdf.subarray(0, end), Buffer.from(line), pdf.subarray(end)])
  const file = seal ? withCoveredBytes(unsigned) : unsigned
  const hash = createHash('sha256').update(file).digest('hex')
  file.write(signatureOf(key, signedFileBytes(hash)), end + line.length - 129, 'latin1')
  return seal ? sealed(file, seal) : file
}

function signatureOf({ publicKey, privateKey }: PageKey, bytes: Uint8Array): string {
  const jwk = {
    kty: 'OKP',
    crv: 'Ed25519',
    x: publicKey.toString('base64url'),
    d: privateKey.toString('base64url'),
  }
  return sign(null, bytes, createPrivateKey({ key: jwk, format: 'jwk' })).toString('hex')
}
