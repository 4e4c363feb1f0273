// Pages of closed months against the checker in Python (proofs/check_page.py), with the server gone: it accepts every genuine
// page, also those from before a rotation of the key, and rejects every damaged one.
import { spawn } from 'node:child_process'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { parseArgs } from 'node:util'
import { keyInUse, newKey, rotateKey, signFile, signPage } from '#features/months/key-commands.server.ts'
import type { PageKey } from '#features/months/key-queries.server.ts'
import type { MonthContent } from '#features/months/month-page.ts'
import { answerOf, checkPage, readKeys } from '#features/months/page-check.ts'
import { renderMonth } from '#features/months/pdf.server.ts'
import { attachmentOf, KEYS_PATH, pageText, type SignedPage } from '#features/months/signed-page.ts'
import { sealPlace } from '#platform/pdf/seal-place.ts'
import { openSeal, type Seal, sealPlan } from '#platform/pdf/seal.server.ts'
import { writeFor } from '#platform/reader.server.ts'
import { madeSeal } from '#main/testing/certificates.server.ts'
import { closed } from '#main/testing/months.server.ts'
import { removeScratch, scratchFolder } from '#main/testing/scratch.server.ts'
import { startTestServer } from '#main/testing.server.ts'
import { type Chance, randomContent, withProofs } from './page-contents.ts'
import { seeded } from './year-behavior.ts'

const { values } = parseArgs({
  options: {
    genuine: { type: 'string', default: '1000' },
    damaged: { type: 'string', default: '1000' },
    /** How many are closed and printed by the server itself, the rest by the same functions from random content. */
    real: { type: 'string', default: '50' },
    seed: { type: 'string', default: '2031' },
    vectors: { type: 'boolean' },
  },
})
const BASE_URL = 'https://tutorlog.example'
const BEFORE_ROTATION = 10

interface Made {
  name: string
  bytes: Buffer
}
/** A page made of random content, which can be made again with something changed. */
interface MadePage extends Made {
  content: MonthContent
  signed: SignedPage
}

async function printed(
  content: MonthContent,
  signed: SignedPage,
  key: PageKey,
  seal?: Seal,
): Promise<Buffer> {
  const plan = seal && sealPlan(seal, new Date(content.closed_at))
  const pdf = await writeFor(content.region ?? null, () => renderMonth(content, signed, plan))
  return signFile(key, pdf, seal)
}

async function sealFrom(folder: string): Promise<Seal> {
  const files = await madeSeal(folder)
  return openSeal(files.SEAL_CERTIFICATE, files.SEAL_KEY)
}

/** Another byte somewhere, but not in the seal, which PDF viewers check. */
function withOtherByte(file: Buffer, chance: Chance): Buffer {
  const bytes = Buffer.from(file)
  const seal = sealPlace(file.toString('latin1')) ?? { start: file.length, end: file.length }
  const length = seal.end - seal.start
  const place = Math.floor(chance() * (file.length - length))
  const at = place < seal.start ? place : place + length
  bytes[at] = (bytes[at] ?? 0) ^ (1 + Math.floor(chance() * 255))
  return bytes
}

async function randomPage(chance: Chance, at: number, key: PageKey, seal: Seal): Promise<MadePage> {
  const plain = randomContent(chance, String(at).padStart(10, '0'), BASE_URL)
  const sides = [{}, { family: at }, { practice: at }, { family: at, practice: at + 1 }][at % 4] ?? {}
  const content = withProofs(plain, sides)
  const signed = signPage(key, pageText(content))
  const bytes = await printed(content, signed, key, at % 3 === 0 ? seal : undefined)
  return { name: `genuine-${at}.pdf`, bytes, content, signed }
}

/** Changes one digit where the pattern says, keeping the length. Undefined if the text has none. */
function withOtherDigit(text: string, pattern: RegExp, chance: Chance): string | undefined {
  const found = [...text.matchAll(pattern)]
  const one = found[Math.floor(chance() * found.length)]
  if (!one) return undefined
  const at = one.index + one[0].length - 1
  return `${text.slice(0, at)}${(Number(text[at]) + 1 + Math.floor(chance() * 8)) % 10}${text.slice(at + 1)}`
}

/** What somebody might change on a page, in the text that's signed. */
const CHANGES: Record<string, (page: string, chance: Chance) => string | undefined> = {
  cent: (page, chance) => withOtherDigit(page, /_cents\\":-?\d*[0-9]/g, chance),
  date: (page, chance) => withOtherDigit(page, /\\"day\\":\\"\d{4}-\d{2}-\d{2}/g, chance),
  answer: (page, chance) =>
    [
      page.replace('"how":"account"', '"how":"emailed_link"'),
      page.replace(
        /"asked_by":"(family|tutor)"/,
        (_, side) => `"asked_by":"${side === 'family' ? 'tutor' : 'family'}"`,
      ),
      withOtherDigit(page, /"answers":\{"family":\{"at":"\d{4}/g, chance) ?? page,
      withOtherDigit(page, /confirmed_by_family_at\\":\\"\d{4}-\d{2}-\d{2}/g, chance) ?? page,
    ].filter((changed) => changed !== page)[Math.floor(chance() * 2)],
}

async function damagedPage(
  chance: Chance,
  at: number,
  from: MadePage,
  key: PageKey,
): Promise<Made | undefined> {
  const kind = ['byte', 'byte', 'byte', 'cent', 'date', 'answer', 'other key', 'borrowed id'][at % 8] ?? ''
  const name = (file: string) => `damaged-${at}-${kind.replace(' ', '-')}.${file}`
  if (kind === 'byte') {
    return { name: name('pdf'), bytes: withOtherByte(from.bytes, chance) }
  }
  const change = CHANGES[kind]
  if (change) {
    const page = change(from.signed.page, chance)
    if (page === undefined) return undefined
    const signed = { ...from.signed, page }
    // The data alone, the PDF with its old signature, and a PDF that the server itself signed with the changed data in it.
    if (at % 3 === 0) return { name: name('json'), bytes: Buffer.from(attachmentOf(signed)) }
    if (at % 3 === 1) return { name: name('pdf'), bytes: await printed(from.content, signed, key) }
    const [before, after] = [attachmentOf(from.signed), attachmentOf(signed)].map((text) => Buffer.from(text))
    const start = from.bytes.indexOf(before ?? '')
    const parts = [
      from.bytes.subarray(0, start),
      after ?? before,
      from.bytes.subarray(start + (before?.length ?? 0)),
    ]
    return { name: name('pdf'), bytes: Buffer.concat(parts.filter((part) => part !== undefined)) }
  }
  // Everything is consistent, but signed by a key that the server never had.
  const own = newKey()
  const forger = kind === 'other key' ? own : { ...own, id: key.id }
  const signed = signPage(forger, pageText(from.content))
  return { name: name('pdf'), bytes: await printed(from.content, signed, forger) }
}

/** The answers of the checker in Python, by file. */
async function answersInPython(folder: string, names: string[]): Promise<Map<string, string>> {
  const python = spawn(
    'python3',
    [join(import.meta.dirname, 'check_page.py'), '--json', '--keys', join(folder, 'keys.json')],
    {
      stdio: ['pipe', 'pipe', 'inherit'],
    },
  )
  python.stdin.end(names.map((name) => `${join(folder, name)}\n`).join(''))
  const lines = (await buffer(python.stdout)).toString().trim().split('\n')
  return new Map(
    lines.map((line) => {
      const { file, answer } = JSON.parse(line) as { file: string; answer: string }
      return [file.slice(folder.length + 1), answer]
    }),
  )
}

async function prove(): Promise<boolean> {
  const chance = seeded(Number(values.seed))
  const [genuineCount, damagedCount] = [Number(values.genuine), Number(values.damaged)]
  const folder = scratchFolder()
  const server = await startTestServer()
  server.clock.now = new Date('2026-12-01T09:00:00Z')
  const keep = ({ name, bytes }: Made) => {
    writeFileSync(join(folder, name), bytes)
    return name
  }
  const genuine: string[] = []
  const closeForReal = async () => {
    const days = Array.from({ length: 1 + Math.floor(chance() * 4) }, (_, at) => `2026-11-0${at + 1}`)
    const pair = await closed(server, days)
    genuine.push(
      keep({ name: `genuine-real-${genuine.length}.pdf`, bytes: (await pair.pdf(pair.family)).bytes }),
    )
  }
  while (genuine.length < BEFORE_ROTATION) await closeForReal()
  const before = await keyInUse(server.db, server.clock.now)
  await rotateKey(server.db, server.clock.now)
  while (genuine.length < Math.min(genuineCount, Number(values.real))) await closeForReal()
  const key = await keyInUse(server.db, server.clock.now)
  const keys = (await server.app.inject({ method: 'GET', url: KEYS_PATH })).payload
  writeFileSync(join(folder, 'keys.json'), keys)
  await server.stop()
  console.log(
    `${genuine.length} months were closed and printed by a server, ${BEFORE_ROTATION} of them before its key was rotated. It's gone now.`,
  )

  const pages: MadePage[] = []
  const seal = await sealFrom(folder)
  while (genuine.length < genuineCount) {
    const page = await randomPage(chance, genuine.length, key, seal)
    genuine.push(keep(page))
    // Enough of them to damage, without holding everything in memory.
    if (pages.length < 100) pages.push(page)
  }
  const damaged: string[] = []
  for (let at = 0; damaged.length < damagedCount; at++) {
    const made = await damagedPage(chance, at, pages[at % pages.length] as MadePage, key)
    if (made) damaged.push(keep(made))
  }
  const started = Date.now()
  const answers = await answersInPython(folder, [...genuine, ...damaged])
  const seconds = Math.round((Date.now() - started) / 1000)
  const published = (await readKeys(keys))?.keys ?? []
  const wrong: string[] = []
  for (const name of [...genuine, ...damaged]) {
    const ours = answerOf(await checkPage(readFileSync(join(folder, name)), published))
    const theirs = answers.get(name)
    if ((theirs === 'genuine') !== name.startsWith('genuine')) wrong.push(`${name}: ${theirs}`)
    if (ours !== theirs) wrong.push(`${name}: ${theirs} in Python, ${ours} in JavaScript`)
  }
  const count = (names: string[], isGenuine: boolean) =>
    names.filter((name) => (answers.get(name) === 'genuine') === isGenuine).length
  console.log(
    `Python accepts ${count(genuine, true)} of ${genuine.length} genuine pages, ${BEFORE_ROTATION} of them by key ${before.id}, which was retired.`,
  )
  console.log(
    `Python rejects ${count(damaged, false)} of ${damaged.length} damaged ones. It took ${seconds} s.`,
  )
  const kinds = Map.groupBy(
    damaged,
    (name) => `${name.split('-').slice(2).join(' ').split('.')[0]}: ${answers.get(name)}`,
  )
  for (const [kind, names] of [...kinds].sort()) console.log(`  ${kind} ${names.length}`)
  for (const line of wrong.slice(0, 20)) console.error(line)
  if (wrong.length === 0) removeScratch(folder)
  else console.error(`The files are in ${folder}`)
  return wrong.length === 0
}

/** Writes docs/page-format/: one file for each answer, and what's particular about some. */
async function writeVectors(): Promise<void> {
  const folder = join(import.meta.dirname, '../docs/page-format')
  mkdirSync(folder, { recursive: true })
  const key = newKey()
  const chance = seeded(7)
  let content = randomContent(chance, '4HJ7KQM2XR', BASE_URL)
  while (content.sessions.length !== 3 || !content.charges || content.payments.length === 0)
    content = randomContent(chance, '4HJ7KQM2XR', BASE_URL)
  content = {
    ...content,
    family: 'Jordan "Jo" Whitfield',
    tutor: 'Ingrid Lindqvist',
    url: `${BASE_URL}/verify/4HJ7K-QM2XR`,
  }
  const signed = (one: MonthContent, by = key) => signPage(by, pageText(one))
  const data = (one: SignedPage) => Buffer.from(attachmentOf(one))
  const genuine = signed(content)
  const pdf = await printed(content, genuine, key)
  const byte = Buffer.from(pdf)
  const middle = pdf.length - 3000
  byte[middle] = (byte[middle] ?? 0) ^ 1
  const sealFolder = scratchFolder()
  const sealed = await printed(content, genuine, key, await sealFrom(sealFolder))
  removeScratch(sealFolder)
  const place = sealPlace(sealed.toString('latin1'))
  const otherSeal = Buffer.from(sealed)
  otherSeal.fill('ab', place?.start, place?.end)
  const range = Buffer.from(sealed)
  // The first digit of the numbers that say what the seal covers.
  range.write('9', (place?.range.start ?? 0) + 3)
  const both = withProofs(content, { family: 0, practice: 1 })
  const forged = {
    ...both,
    proofs: {
      ...both.proofs,
      family: withProofs({ ...content, tutor: 'Somebody else' }, { family: 0 }).proofs?.family,
    },
  }
  const files: Record<string, [answer: string, bytes: Buffer]> = {
    'genuine.pdf': ['genuine', pdf],
    'genuine.json': ['genuine', data(genuine)],
    'passkeys.json': ['genuine', data(signed(both))],
    'passkey-rsa.json': ['genuine', data(signed(withProofs(content, { practice: 2 })))],
    'passkey-of-another-text.json': ['passkey', data(signed(forged as MonthContent))],
    'cent.json': ['changed', data({ ...genuine, page: CHANGES.cent?.(genuine.page, chance) ?? '' })],
    'date.json': ['changed', data({ ...genuine, page: CHANGES.date?.(genuine.page, chance) ?? '' })],
    'answer.json': [
      'changed',
      data({ ...genuine, page: genuine.page.replace('"how":"account"', '"how":"emailed_link"') }),
    ],
    'byte.pdf': ['changed', byte],
    'sealed.pdf': ['genuine', sealed],
    'other-seal.pdf': ['genuine', otherSeal],
    'seal-of-other-bytes.pdf': ['changed', range],
    'other-key.json': ['unknown_key', data(signed(content, newKey()))],
    'spaces.json': ['no_page', Buffer.from(JSON.stringify(JSON.parse(attachmentOf(genuine)), null, 2))],
  }
  for (const [name, [, bytes]] of Object.entries(files)) writeFileSync(join(folder, name), bytes)
  const publicKey = {
    id: key.id,
    public_key: key.publicKey.toString('hex'),
    made_at: content.closed_at,
    retired_at: null,
  }
  writeFileSync(
    join(folder, 'keys.json'),
    `${JSON.stringify({ format: 'tutorlog-page-keys-1', origin: BASE_URL, keys: [publicKey] }, null, 2)}\n`,
  )
  const expected = Object.fromEntries(Object.entries(files).map(([name, [answer]]) => [name, answer]))
  writeFileSync(join(folder, 'expected.json'), `${JSON.stringify(expected, null, 2)}\n`)
}

if (values.vectors) await writeVectors()
else process.exit((await prove()) ? 0 : 1)
