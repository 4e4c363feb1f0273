// Encrypts backups to public keys, chunk by chunk, in the age format (age-encryption.org/v1). Only whoever has a
// private key can read them, which this server doesn't.
import { createReadStream } from 'node:fs'
import { open, readFile, writeFile } from 'node:fs/promises'
import { ReadableStream as WebStream } from 'node:stream/web'
import { Decrypter, Encrypter, generateIdentity, identityToRecipient } from 'age-encryption'

/** How every sealed file begins. */
const START = 'age-encryption.org/v1\n'

/** Whether this is a public key whose private key can be read from a file: age1... or age1pq1... */
export function isRecipient(text: string): boolean {
  if (!/^age1(?!tag)/.test(text)) return false
  try {
    new Encrypter().addRecipient(text)
    return true
  } catch {
    return false
  }
}

/** A step of a pipeline that encrypts what passes to any of these public keys. */
export function sealedTo(recipients: readonly string[]) {
  return async function* (content: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
    const encrypter = new Encrypter()
    for (const recipient of recipients) encrypter.addRecipient(recipient)
    yield* chunksOf(await encrypter.encrypt(streamOf(content)))
  }
}

/** Whether a file is encrypted. */
export async function isSealed(file: string): Promise<boolean> {
  const handle = await open(file)
  try {
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(START.length), 0, START.length, 0)
    return buffer.toString('latin1', 0, bytesRead) === START
  } finally {
    await handle.close()
  }
}

/** Says why a sealed file can't be read. */
export class NotOpened extends Error {}

/**
 * The content of a sealed file. Each chunk is passed on only after it was checked, but more may be wrong further on:
 * read to the end before you change anything. Throws NotOpened if the keys don't fit, or a byte is missing or wrong.
 */
export async function* opened(file: string, keys: readonly string[]): AsyncGenerator<Uint8Array> {
  const decrypter = new Decrypter()
  for (const key of keys) decrypter.addIdentity(key)
  let hasBegun = false
  try {
    const content = await decrypter.decrypt(streamOf(createReadStream(file)))
    hasBegun = true
    yield* chunksOf(content)
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (typeof code === 'string' && code !== 'ERR_INVALID_STATE') throw error
    throw new NotOpened(
      hasBegun
        ? `${file} is damaged: part of it was changed or is missing.`
        : `This key doesn't open ${file}: the file was encrypted to a different one, or its first lines are damaged.`,
      { cause: error },
    )
  }
}

/** The private keys in a file, one a line, as age-keygen writes them. Throws a one-line Error if there are none. */
export async function readKeys(file: string): Promise<string[]> {
  const text = await readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
    throw new Error(`The key file ${file} can't be read (${error.code}).`, { cause: error })
  })
  const keys = keysIn(text)
  if (!keys) throw new Error(`${file} isn't a key file: its lines have to begin with AGE-SECRET-KEY- or #.`)
  return keys
}

/** The private keys in a key file's text. Undefined if it isn't one. */
export function keysIn(text: string): string[] | undefined {
  const keys = text
    .split(/\r?\n/)
    .map((line) => line.trim())
    .filter((line) => line !== '' && !line.startsWith('#'))
  return keys.length > 0 && keys.every(isKey) ? keys : undefined
}

function isKey(text: string): boolean {
  try {
    new Decrypter().addIdentity(text)
    return true
  } catch {
    return false
  }
}

/** Writes a new private key to a file that doesn't exist yet, and returns its public key. */
export async function makeKeyFile(file: string, now: Date): Promise<string> {
  const key = await generateIdentity()
  const recipient = await identityToRecipient(key)
  const text = `# created: ${now.toISOString()}\n# public key: ${recipient}\n${key}\n`
  await writeFile(file, text, { mode: 0o600, flag: 'wx' }).catch((error: NodeJS.ErrnoException) => {
    const reason = error.code === 'EEXIST' ? 'it exists already, and a key is never overwritten' : error.code
    throw new Error(`The key was not written to ${file}: ${reason}.`, { cause: error })
  })
  return recipient
}

// Node's and the browsers' types for these streams differ; the streams don't.
function streamOf(content: AsyncIterable<Uint8Array>): ReadableStream<Uint8Array> {
  return WebStream.from(content) as ReadableStream<Uint8Array>
}

function chunksOf(stream: ReadableStream<Uint8Array>): AsyncIterable<Uint8Array> {
  return stream as unknown as AsyncIterable<Uint8Array>
}
