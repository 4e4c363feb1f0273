// Checks a Tutorlog export: node verify.mjs EXPORT.zip [KEYS.json]
//
// It needs Node 20.15 or newer and nothing else, neither a network nor the server. It's made from Tutorlog's own source
// (scripts/export-checker.ts), so change it there.
import { closeSync, createReadStream, fstatSync, openSync, readFileSync, readSync } from 'node:fs'
import { createHash } from 'node:crypto'
import { crc32, createInflateRaw } from 'node:zlib'
// src/platform/pdf/seal-place.ts
/** The last group is the seal in hex. Before a file is sealed, there are names in place of the numbers. */
var PLACE = /\n\/ByteRange (\[0(?: [0-9]+| \/\*{10}){3}\] *)\n\/Contents <([0-9a-f]+)>\n/
/** Finds the place in a PDF with one character for each byte. Undefined if the file has none. */
function sealPlace(pdf) {
  const found = PLACE.exec(pdf)
  const [whole, range, digits] = found ?? []
  if (!found || !whole || !range || !digits) return void 0
  const end = found.index + whole.length - 2
  return {
    range: {
      start: found.index + 12,
      length: range.length,
    },
    start: end - digits.length,
    end,
  }
}
// src/features/months/agreed.ts
/** The facts of a month's page as JSON, always with the same members in the same order; lines by day and id. */
function agreedText({ month, currency, family, tutor, sessions, payments, charges, figures }) {
  return JSON.stringify({
    month,
    currency,
    family,
    tutor,
    sessions: sessions.toSorted(byDay).map((row) => ({
      id: row.id,
      day: row.day,
      student: row.first_name,
      subject: row.subject,
      is_make_up: row.is_make_up ?? false,
      minutes: row.minutes,
      rate_cents: row.rate_cents,
      lesson_price_cents: row.lesson_price_cents ?? null,
      lesson_price_minutes: row.lesson_price_minutes ?? null,
      total_cents: row.total_cents,
      currency: row.currency,
      ...answersOf(row),
    })),
    payments: payments.toSorted(byDay).map((row) => ({
      id: row.id,
      day: row.day,
      student: row.first_name,
      kind: row.kind,
      amount_cents: row.amount_cents,
      prepaid_minutes: row.prepaid_minutes,
      method: row.method,
      currency: row.currency,
      ...answersOf(row),
    })),
    charges: (charges ?? []).toSorted(byDay).map((row) => ({
      id: row.id,
      day: row.day,
      student: row.first_name,
      reason: row.reason,
      label: row.label,
      amount_cents: row.amount_cents,
      currency: row.currency,
      ...answersOf(row),
    })),
    carried_over_cents: figures.carriedOver,
    sessions_cents: figures.sessions,
    covered_cents: figures.covered,
    other_cents: figures.other,
    paid_cents: figures.paid,
    due_cents: figures.balance,
    minutes_left: figures.left,
  })
}
var answersOf = (row) => ({
  confirmed_by_family_at: row.family_at,
  confirmed_by_tutor_at: row.practice_at,
})
function byDay(a, b) {
  return a.day + a.id < b.day + b.id ? -1 : 1
}
// src/features/months/signed-page.ts
var PAGE_FORMAT = 'tutorlog-page-1'
var FILE_FORMAT = 'tutorlog-file-1'
/** What the server's key signs of a page. */
function signedBytes(page) {
  return new TextEncoder().encode(`${PAGE_FORMAT}\n${page}`)
}
/** The file that's attached to the PDF. */
function attachmentOf({ page, key, signature }) {
  return JSON.stringify({
    format: PAGE_FORMAT,
    page,
    key,
    signature,
  })
}
/** In a PDF, the start of the line with the signature of the whole file. It's a comment. */
var FILE_LINE = `%${FILE_FORMAT} `
/** What the server's key signs of a whole file: its SHA-256 in hex, with zeros in place of the signature. */
function signedFileBytes(sha256) {
  return new TextEncoder().encode(`${FILE_FORMAT}\n${sha256}`)
}
// src/features/months/page-check.ts
var PDF = '%PDF-'
var ZERO = '0'.charCodeAt(0)
var ATTACHED = `stream\n{"format":"${PAGE_FORMAT}",`
var ATTACHED_END = '\nendstream'
var ENVELOPE = new RegExp(
  `^\\{"format":"${PAGE_FORMAT}","page":"((?:[^"\\\\]|\\\\["\\\\])*)","key":"([0-9a-f]{32})","signature":"([0-9a-f]{128})"\\}$`,
)
/** The end of a PDF, with the signature of all its bytes. */
var SIGNED_END = new RegExp(`\\n${FILE_LINE}([0-9a-f]{32}) ([0-9a-f]{128})\\nstartxref\\n[0-9]+\\n%%EOF\\n$`)
/** Checks a file's page. Undefined if the file doesn't have one, or has two. */
async function checkPage(file, keys) {
  const bytes = Uint8Array.from(file)
  const text = new TextDecoder('latin1').decode(bytes)
  const isPdf = text.startsWith(PDF)
  const attached = isPdf ? attachedIn(bytes, text) : bytes
  const signed = attached && readSigned(attached)
  const read = signed && readFacts(signed.page)
  if (!signed || !read) return void 0
  const { facts, agreed } = read
  const page = await verdict(keys, signed.key, signed.signature, signedBytes(signed.page))
  const whole = isPdf ? await checkFile(bytes, text, keys) : null
  const passkeys =
    page === 'holds'
      ? {
          family: await checkSide(facts, 'family'),
          tutor: await checkSide(facts, 'tutor'),
        }
      : {
          family: null,
          tutor: null,
        }
  return {
    isGenuine:
      page === 'holds' &&
      (whole === null || whole === 'holds') &&
      passkeys.family !== 'broken' &&
      passkeys.tutor !== 'broken',
    facts,
    agreed,
    page,
    file: whole,
    passkeys,
    key: signed.key,
  }
}
function answerOf(checked) {
  if (!checked) return 'no_page'
  if (checked.isGenuine) return 'genuine'
  const [first] = [checked.page, checked.file].filter((one) => one !== null && one !== 'holds')
  if (first) return first === 'unknown_key' ? 'unknown_key' : 'changed'
  return 'passkey'
}
/** Reads a file of public keys. Undefined if it isn't one, or if a key's id isn't the one of its bytes. */
async function readKeys(text) {
  const file = parsed(text)
  if (file?.format !== 'tutorlog-page-keys-1' || !Array.isArray(file.keys)) return void 0
  for (const { id, public_key: publicKey } of file.keys)
    if (!/^[0-9a-f]{64}$/.test(publicKey) || (await sha256$1(fromHex(publicKey))).slice(0, 32) !== id)
      return void 0
  return file
}
function attachedIn(bytes, text) {
  const at = text.indexOf(ATTACHED)
  if (at < 0 || text.includes(ATTACHED, at + 1)) return void 0
  const start = at + 7
  const end = text.indexOf(ATTACHED_END, start)
  return end < 0 ? void 0 : bytes.slice(start, end)
}
function readSigned(bytes) {
  const [, page, key, signature] = ENVELOPE.exec(utf8(bytes) ?? '') ?? []
  return page && key && signature
    ? {
        page: page.replaceAll(/\\(.)/g, '$1'),
        key,
        signature,
      }
    : void 0
}
function readFacts(page) {
  const facts = parsed(page)
  const agreed = parsed(facts?.agreed ?? '')
  return facts?.format === 'tutorlog-page-1' && agreed
    ? {
        facts,
        agreed,
      }
    : void 0
}
async function checkFile(bytes, text, keys) {
  const [line, key, signature] = SIGNED_END.exec(text) ?? []
  if (!line || !key || !signature) return 'broken'
  const unsigned = bytes.slice()
  const at = text.length - line.length + line.indexOf(signature, key.length)
  unsigned.fill(ZERO, at, at + signature.length)
  const seal = sealPlace(text)
  if (seal) unsigned.fill(ZERO, seal.start, seal.end)
  return verdict(keys, key, signature, signedFileBytes(await sha256$1(unsigned)))
}
async function verdict(keys, id, signature, bytes) {
  const key = keys.find((one) => one.id === id)
  if (!key) return 'unknown_key'
  const imported = await crypto.subtle.importKey('raw', fromHex(key.public_key), 'Ed25519', false, ['verify'])
  return (await crypto.subtle.verify('Ed25519', imported, fromHex(signature), bytes)) ? 'holds' : 'broken'
}
/** In the authenticator's data: somebody touched the device. */
var PRESENT = 1
async function checkSide(facts, side) {
  const { passkey } = facts.answers[side]
  return passkey && checkPasskey(passkey, facts)
}
async function checkPasskey(proof, facts) {
  try {
    const { origin, hostname } = new URL(facts.url)
    const clientData = fromBase64(proof.client_data)
    const authenticator = fromBase64(proof.authenticator_data)
    const said = parsed(utf8(clientData) ?? '')
    const challenge = await sha256$1(new TextEncoder().encode(`${proof.nonce}\n${facts.agreed}`))
    const isAbout =
      said?.type === 'webauthn.get' &&
      said.origin === origin &&
      toHex(fromBase64(said.challenge ?? '')) === challenge &&
      toHex(authenticator.slice(0, 32)) === (await sha256$1(new TextEncoder().encode(hostname))) &&
      ((authenticator[32] ?? 0) & PRESENT) === PRESENT
    const signed = joined(authenticator, fromHex(await sha256$1(clientData)))
    return isAbout && (await isSignedBy(proof, signed)) ? 'holds' : 'broken'
  } catch {
    return 'broken'
  }
}
var ES256 = {
  name: 'ECDSA',
  namedCurve: 'P-256',
  hash: 'SHA-256',
}
var RS256 = {
  name: 'RSASSA-PKCS1-v1_5',
  hash: 'SHA-256',
}
async function isSignedBy({ key, signature }, bytes) {
  const algorithm = key.kty === 'EC' ? ES256 : key.kty === 'RSA' ? RS256 : { name: 'Ed25519' }
  const imported = await crypto.subtle.importKey('jwk', key, algorithm, false, ['verify'])
  const given = fromBase64(signature)
  return crypto.subtle.verify(algorithm, imported, key.kty === 'EC' ? bothNumbers(given) : given, bytes)
}
/** The two numbers of a signature in DER (a sequence of two integers), 32 bytes each, as WebCrypto takes them. */
function bothNumbers(der) {
  const number = (at) => {
    const length = der[at + 1] ?? 0
    const digits = der.slice(at + 2, at + 2 + length).slice(-32)
    return {
      digits: joined(new Uint8Array(32 - digits.length), digits),
      end: at + 2 + length,
    }
  }
  const first = number(2)
  return joined(first.digits, number(first.end).digits)
}
function joined(first, second) {
  const both = new Uint8Array(first.length + second.length)
  both.set(first)
  both.set(second, first.length)
  return both
}
async function sha256$1(bytes) {
  return toHex(new Uint8Array(await crypto.subtle.digest('SHA-256', bytes)))
}
function toHex(bytes) {
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('')
}
function fromHex(hex) {
  return Uint8Array.from(hex.match(/../g) ?? [], (pair) => Number.parseInt(pair, 16))
}
function fromBase64(text) {
  return Uint8Array.from(atob(text.replaceAll('-', '+').replaceAll('_', '/')), (one) => one.charCodeAt(0))
}
/** Undefined if the bytes aren't a text. */
function utf8(bytes) {
  try {
    return new TextDecoder('utf-8', {
      fatal: true,
      ignoreBOM: true,
    }).decode(bytes)
  } catch {
    return
  }
}
function parsed(text) {
  try {
    return JSON.parse(text)
  } catch {
    return
  }
}
// src/features/agreements/history.ts
function isWhole(entry) {
  return entry.hashed_text !== null
}
/**
 * Before sessions had two sides, entries named the side 'owner' or 'tutor'. Maps each to the sides it may
 * stand for.
 */
var OLD_SIDES = {
  owner: ['family', 'practice'],
  tutor: ['practice'],
}
/** The values on these lines of the hashed text, by line number. The older format uses the same order. */
var LINES$1 = {
  1: ({ entry_id: id }) => id,
  2: ({ seq }) => String(seq),
  3: ({ at }) => at,
  6: ({ action }) => action,
  8: ({ facts }) => facts,
  9: ({ changed }) => changed.join(','),
  10: ({ note }) => note ?? '-',
  11: ({ previous_hash: hash }) => hash,
}
/** Whether an entry's columns match its hashed text. */
function saysTheSame(entry) {
  const lines = entry.hashed_text.split('\n')
  return (
    lines.length === 12 &&
    isSide(lines[4] ?? '', entry.side) &&
    (lines[5] === 'by handed-over link') === entry.is_by_handed_link &&
    Object.entries(LINES$1).every(([line, value]) => lines[Number(line)] === value(entry))
  )
}
function isSide(told, side) {
  return told === side || (OLD_SIDES[told] ?? []).includes(side)
}
/**
 * The only facts compared for entries from before sessions had two sides. Those entries represent people and
 * confirmations differently.
 */
var OLD_FACTS = ['date', 'minutes', 'rate_cents', 'total_cents', 'subject']
function isSameNow(told, current) {
  const [then, now] = [told, current].map((facts) => JSON.parse(facts))
  return ('currency' in (then ?? {}) ? Object.keys(now ?? {}) : OLD_FACTS).every(
    (fact) => then?.[fact] === now?.[fact],
  )
}
/**
 * All invalid entries in the chains of a session or payment. If there are none, the last one if it doesn't match.
 * Empty if everything is valid.
 * Only what was hashed before sessions had two sides may be hidden from someone, so nothing is after an entry that isn't.
 * @param entries one chain after another, each oldest first; chain 1 is its own
 * @param sha256 returns a string's hash in hexadecimal
 */
function breaksOf(entries, current, sha256) {
  const broken = [
    ...chainsOf(entries).flatMap((chain) => brokenLinks(chain, sha256)),
    ...brokenMerges(entries),
  ]
  if (broken.length > 0) return broken
  const last = entries.findLast(({ chain }) => chain === 1)
  const problem = last
    ? whatIsWrongAtTheEnd(last, current)
    : {
        seq: 1,
        problem: 'is missing',
      }
  return problem ? [problem] : []
}
function chainsOf(entries) {
  return [...new Set(entries.map(({ chain }) => chain))].map((number) =>
    entries.filter(({ chain }) => chain === number),
  )
}
/** The hash of the last entry that another one had when it was merged into this one, as its entry says. */
function mergedHash({ action, facts }) {
  if (action !== 'merged') return void 0
  const { merged } = JSON.parse(facts)
  return merged ?? void 0
}
/** Entries about a merge whose other chain is missing, or doesn't end where it did then. */
function brokenMerges(entries) {
  const ends = new Set(chainsOf(entries).map((chain) => chain.at(-1)?.hash))
  return entries.flatMap((entry) => {
    const end = mergedHash(entry)
    return end === void 0 || ends.has(end)
      ? []
      : [
          {
            seq: entry.seq,
            problem: 'does not match the end of what was merged',
          },
        ]
  })
}
/** How many chains no entry says the end of, so that nobody would notice if entries were missing there. */
function openEnds(entries) {
  const named = new Set(entries.map(mergedHash))
  return chainsOf(entries).filter((chain) => chain[0]?.chain !== 1 && !named.has(chain.at(-1)?.hash)).length
}
function whatIsWrongAtTheEnd(last, current) {
  const { seq } = last
  if (last.action === 'deleted' || last.action === 'waived')
    return current === void 0
      ? void 0
      : {
          seq,
          problem: 'says deleted, but it exists',
        }
  if (current === void 0)
    return {
      seq: seq + 1,
      problem: 'is missing: it was deleted without an entry',
    }
  return isSameNow(last.facts, current)
    ? void 0
    : {
        seq,
        problem: 'does not match what is there',
      }
}
function brokenLinks(entries, sha256) {
  return entries.flatMap((entry, at) => {
    const before = entries[at - 1]
    const next = (before?.seq ?? 0) + 1
    if (entry.seq !== next)
      return [
        {
          seq: next,
          problem: 'is missing',
        },
      ]
    if (!isWhole(entry))
      return before && isWhole(before)
        ? [
            {
              seq: entry.seq,
              problem: 'has lost the text that was hashed',
            },
          ]
        : []
    if (entry.previous_hash !== (before?.hash ?? ''))
      return [
        {
          seq: entry.seq,
          problem: 'does not follow the entry before it',
        },
      ]
    if (entry.hash !== sha256(entry.hashed_text) || !saysTheSame(entry))
      return [
        {
          seq: entry.seq,
          problem: 'was altered',
        },
      ]
    return []
  })
}
// src/kernel/money.ts
/** Marks a whole number as cents. Throws a RangeError for any other number. */
function cents$1(value) {
  if (!Number.isSafeInteger(value)) throw new RangeError(`not whole cents: ${value}`)
  return value
}
/** Converts a dollar amount from our API, which has at most two decimals, to cents. */
function centsOfDollars(amount) {
  return cents$1(Math.round(amount * 100))
}
// src/main/export-checker/kinds.ts
var cents = (amount) => (typeof amount === 'number' ? centsOfDollars(amount) : null)
var minutes = (hours) => (typeof hours === 'number' ? Math.round(hours * 60) : null)
var seconds = (time) => (typeof time === 'string' ? `${time}:00` : null)
/**
 * The facts of a row of each kind, by the names of its history. db/repeatable has the same for the database, as
 * facts_of.
 */
var FACTS = {
  session: (row) => ({
    date: row.date,
    minutes: minutes(row.duration),
    rate_cents: cents(row.hourly_rate ?? row.tutor_rate),
    total_cents: cents(row.total_amount),
    currency: row.currency,
    subject: row.subject,
    ...(row.makes_up !== null && { is_make_up: true }),
    ...(row.hourly_rate === null &&
      row.lesson_price !== null && {
        lesson_price_cents: cents(row.lesson_price),
        lesson_price_minutes: row.lesson_minutes,
      }),
  }),
  payment: (row) => ({
    date: row.date,
    kind: row.kind,
    amount_cents: cents(row.amount),
    prepaid_minutes: minutes(row.hours),
    method: row.method,
    currency: row.currency,
  }),
  charge: (row) => ({
    date: row.date,
    amount_cents: cents(row.amount),
    reason: row.reason,
    label: row.for,
    currency: row.currency,
  }),
  term: (row) => ({
    date: row.date,
    rules: row.rules,
    currency: row.currency,
  }),
  schedule: (row) => ({
    start_day: row.start_date,
    day_of_week: row.day_of_week,
    start_time: seconds(row.start_time),
    minutes: minutes(row.duration),
    rate_cents: cents(row.hourly_rate),
    frequency: row.frequency,
    custom_interval_days: row.custom_interval_days,
    end_day: row.end_date,
    time_zone: row.time_zone,
    is_active: row.is_active,
    subject: row.subject,
    currency: row.currency,
  }),
  schedule_change: (row) => ({
    moved_to: row.moved_to,
    start_time: seconds(row.start_time),
    date: row.date,
    outcome: row.outcome,
  }),
}
var KINDS = Object.keys(FACTS)
/** The kinds whose entries are lines of a closed month's page. */
var ON_PAGES = ['session', 'payment', 'charge']
function entryOf(kind, row, own) {
  const [family, practice] =
    own === 'family'
      ? [row.own_confirmation, row.other_confirmation]
      : [row.other_confirmation, row.own_confirmation]
  const [proposed] = (
    own === 'family' ? [row.you_proposed, row.other_proposed] : [row.other_proposed, row.you_proposed]
  ).filter((proposal, place) => [family, practice][place] === 'disputed' && proposal !== null)
  return {
    kind,
    id: String(row.id),
    facts: {
      ...FACTS[kind]?.(row),
      state: stateOf(family, practice),
      ...(proposed !== void 0 && { proposed }),
    },
    answers: {
      family,
      practice,
    },
  }
}
function stateOf(...answers) {
  if (answers.every((answer) => answer === 'confirmed')) return 'verified'
  return answers.includes('disputed') ? 'disputed' : 'unverified'
}
/** What a session's own columns say about its state. Other kinds don't have them. */
function toldState(row) {
  if (row.verified_by_tutor === void 0) return void 0
  return row.verified_by_tutor === true ? 'verified' : row.status === 'disputed' ? 'disputed' : 'unverified'
}
/** The kinds in which whoever enters or changes something also confirms it. */
var CONFIRMED_BY_CHANGING = [...ON_PAGES, 'term']
/** Changes that leave an answer as it is. */
var NOT_AGREED = ['subject', 'start time', 'method', 'summary', 'homework']
/**
 * What each side's answer is according to the entries of a history. Undefined where they don't say: whoever a lesson is
 * with may change without a new answer.
 */
function answersSaid(entries) {
  let said = {}
  for (const entry of entries) said = fitting(answered(said, entry), entry)
  return said
}
function answered(before, { side, action, changed }) {
  if (side !== 'family' && side !== 'practice') return {}
  const isAbout = (...fields) => changed.some((field) => fields.includes(field))
  if (action === 'confirmed' || action === 'disputed')
    return {
      ...before,
      [side]: action,
    }
  if (action === 'withdrawn')
    return {
      ...before,
      [side]: 'none',
    }
  if (action === 'merged' || action === 'accepted' || isAbout('student', 'tutor', 'currency')) return {}
  return action === 'logged' ||
    (action === 'changed' && !changed.every((field) => NOT_AGREED.includes(field)))
    ? {
        [otherOf(side)]: 'none',
        [side]: 'confirmed',
      }
    : before
}
/** Keeps only what fits the state that the entry had. */
function fitting(said, { side, facts }) {
  const { state } = JSON.parse(facts)
  if (state === 'verified')
    return {
      family: 'confirmed',
      practice: 'confirmed',
    }
  if (side !== 'family' && side !== 'practice') return {}
  const isDisputed = said.family === 'disputed' || said.practice === 'disputed'
  if (state === 'disputed') return isDisputed ? said : {}
  if (said[side] === 'confirmed')
    return {
      [side]: 'confirmed',
      [otherOf(side)]: 'none',
    }
  return isDisputed ? { [side]: said[side] } : said
}
var otherOf = (side) => (side === 'family' ? 'practice' : 'family')
// src/main/export-checker/report.ts
/** "1 session", "2 sessions". */
function counted(count, noun, nouns = `${noun}s`) {
  return `${count} ${count === 1 ? noun : nouns}`
}
// src/features/privacy/csv.ts
/**
 * Characters that make a spreadsheet treat a cell as a formula. Includes the apostrophe, so that removing one
 * when reading restores the value.
 */
var RISKY = /^[=+\-@\t\r']/
/** Formats one line of CSV. Values that look like a formula get a leading apostrophe. */
function csvLine(values) {
  return `${values.map(csvCell).join(',')}\r\n`
}
function csvCell(value) {
  if (value === null || value === void 0) return ''
  if (typeof value === 'number' || typeof value === 'boolean') return String(value)
  const text = typeof value === 'string' ? value : JSON.stringify(value)
  return `"${(RISKY.test(text) ? `'${text}` : text).replaceAll('"', '""')}"`
}
// src/main/export-checker/tables.ts
/** A table's rows, one after another. An unreadable file is complained about and ends there. */
async function* rowsOf(zip, table, complain) {
  const name = `json/${table}.json`
  try {
    for await (const line of linesOf$1(zip.read(name))) {
      const text = line.trim().replace(/,$/, '')
      if (text === '' || text === '[' || text === ']' || text === '[]') continue
      yield JSON.parse(text)
    }
  } catch (error) {
    complain(`${name} can’t be read: ${error.message}`)
  }
}
async function* linesOf$1(bytes) {
  const decoder = new TextDecoder('utf-8', { fatal: true })
  let text = ''
  for await (const chunk of bytes) {
    const lines = (text + decoder.decode(chunk, { stream: true })).split('\n')
    text = lines.pop() ?? ''
    yield* lines
  }
  yield text + decoder.decode()
}
/** The tables in an export. */
function tablesIn({ names }) {
  return names.flatMap((name) => /^json\/(\w+)\.json$/.exec(name)?.[1] ?? [])
}
/** Complains if a table's file for spreadsheets doesn't have the rows of its file for programs. */
async function compareFormats(zip, table, complain) {
  const name = `csv/${table}.csv`
  const rows = rowsOf(zip, table, complain)
  let at = 0
  let wanted = ''
  try {
    const decoder = new TextDecoder('utf-8', {
      fatal: true,
      ignoreBOM: true,
    })
    for await (const chunk of zip.read(name)) {
      let text = decoder.decode(chunk, { stream: true })
      while (text.length > 0) {
        if (wanted === '') {
          const { value, done } = await rows.next()
          if (done && at === 0) return
          if (done) return complain(`${name} has rows that json/${table}.json doesn’t have`)
          wanted = (at === 0 ? `\uFEFF${csvLine(Object.keys(value))}` : '') + csvLine(Object.values(value))
          at += 1
        }
        const length = Math.min(wanted.length, text.length)
        if (wanted.slice(0, length) !== text.slice(0, length))
          return complain(`${name} doesn’t say in row ${at} what json/${table}.json says`)
        wanted = wanted.slice(length)
        text = text.slice(length)
      }
    }
  } catch (error) {
    return complain(`${name} can’t be read: ${error.message}`)
  }
  if (wanted !== '' || !(await rows.next()).done)
    complain(`json/${table}.json has rows that ${name} doesn’t have`)
}
// src/main/export-checker/histories.ts
var sha256 = (text) => createHash('sha256').update(text).digest('hex')
/** A time in microseconds as exports have it. */
var inMilliseconds = (at) => `${at.slice(0, 23)}Z`
var entriesIn = (count) => counted(count, 'history entry', 'history entries')
/** A kind's name in sentences. */
var said = (kind) => kind.replace('_', ' ')
/**
 * Checks the history of every entry.
 * @param look called with every entry; returns what to do with its history, if anything
 */
async function checkHistories(zip, own, report, look) {
  const checker = new HistoryChecker(report)
  for (const kind of KINDS)
    for await (const row of rowsOf(zip, `${kind}s`, (problem) => report.problems.push(problem))) {
      const entry = entryOf(kind, row, own)
      const told = toldState(row)
      if (told !== void 0 && told !== entry.facts.state)
        report.problems.push(`${said(kind)} ${entry.id}: its status doesn’t fit its two answers`)
      checker.expect(entry, row, look(entry, row))
    }
  let rows = []
  for await (const row of rowsOf(zip, 'history', (problem) => report.problems.push(problem))) {
    if (rows[0] && keyOf(rows[0]) !== keyOf(row)) {
      checker.check(rows)
      rows = []
    }
    rows.push(row)
  }
  if (rows.length > 0) checker.check(rows)
  checker.finish()
}
var keyOf = ({ kind, record }) => `${String(kind)} ${String(record)}`
var HistoryChecker = class {
  #report
  /** Entries whose history hasn't come yet, and those whose history has. */
  #expected = /* @__PURE__ */ new Map()
  #seen = /* @__PURE__ */ new Set()
  #ids = /* @__PURE__ */ new Set()
  #looks = /* @__PURE__ */ new Map()
  #counts = new Map(
    KINDS.map((kind) => [
      kind,
      {
        entries: 0,
        deleted: 0,
        chains: 0,
        lines: 0,
      },
    ]),
  )
  constructor(report) {
    this.#report = report
  }
  expect(entry, row, look) {
    const key = keyOf({
      kind: entry.kind,
      record: row.record,
    })
    if (this.#expected.has(key)) this.#complain(entry.kind, entry.id, 'has the number of another one')
    this.#expected.set(key, entry)
    if (look) this.#looks.set(entry, look)
    this.#ids.add(`${entry.kind} ${entry.id}`)
  }
  /** Checks all rows of one history. */
  check(rows) {
    const [first] = rows
    const [key, kind] = [keyOf(first), String(first.kind)]
    const entry = this.#expected.get(key)
    this.#expected.delete(key)
    const id = entry?.id ?? String(first.entry_id)
    const counts = this.#counts.get(kind)
    if (!counts) return this.#complain(kind, id, 'is of no known kind')
    if (this.#seen.has(key)) this.#complain(kind, id, 'has a second history')
    this.#seen.add(key)
    const entries = rows.map(storedEntry)
    counts.entries += 1
    counts.deleted += entry ? 0 : 1
    counts.chains += new Set(entries.map(({ chain }) => chain)).size
    counts.lines += entries.length
    const hidden = rows.filter(({ hashed_text: text }) => text === null).length
    if (hidden > 0)
      this.#note(
        kind,
        id,
        `${entriesIn(hidden)} can’t be recomputed, because what was hashed names what only the other side may see. That they follow each other was checked`,
      )
    if (openEnds(entries) > 0)
      this.#note(
        kind,
        id,
        'entries missing at the end of a history that was merged into this one wouldn’t be noticed',
      )
    for (const { seq, problem } of breaksOf(entries, entry && currentFacts(entry, entries), sha256))
      this.#complain(kind, id, `history entry ${seq} ${problem}`)
    if (!entry) return
    this.#compare(entry, entries)
    this.#looks.get(entry)?.(entries)
  }
  finish() {
    for (const { kind, id } of this.#expected.values()) this.#complain(kind, id, 'has no history')
    for (const [kind, { entries, deleted, chains, lines }] of this.#counts) {
      const gone = deleted > 0 ? ` (${deleted} of them deleted)` : ''
      const merged = chains > entries ? `, in ${counted(chains, 'chain')}` : ''
      this.#report.checked.push(`${counted(entries, said(kind))}${gone}: ${entriesIn(lines)}${merged}`)
    }
  }
  /** What the history doesn't say in its facts: whose it is, and who answered what. */
  #compare({ kind, id, answers }, entries) {
    const own = entries.filter(({ chain }) => chain === 1)
    const last = own.at(-1)
    if (last && last.entry_id !== id) {
      if (this.#ids.has(`${kind} ${last.entry_id}`))
        this.#complain(kind, id, `its history is that of ${said(kind)} ${last.entry_id}`)
      else this.#note(kind, id, 'its history has an earlier id of it')
    }
    if (!CONFIRMED_BY_CHANGING.includes(kind)) return
    for (const [side, answer] of Object.entries(answersSaid(own)))
      if (answers[side] !== answer)
        this.#complain(kind, id, `the answer of the ${side} isn’t the one in its history`)
  }
  #complain(kind, id, problem) {
    this.#report.problems.push(`${said(kind)} ${id}: ${problem}`)
  }
  #note(kind, id, note) {
    this.#report.notes.push(`${said(kind)} ${id}: ${note}.`)
  }
}
/**
 * An exported entry as the database has it. Its texts are those that were hashed if the export's own columns say the
 * same, although in milliseconds, or as JSON.
 */
function storedEntry(row) {
  const text = typeof row.hashed_text === 'string' ? row.hashed_text : void 0
  const lines = text?.split('\n') ?? []
  const [at, facts] = [String(row.at), JSON.stringify(row.facts)]
  return {
    chain: Number(row.chain),
    entry_id: String(row.entry_id),
    seq: Number(row.seq),
    at: lines[3] !== void 0 && at === inMilliseconds(lines[3]) ? lines[3] : at,
    side: String(row.side),
    action: String(row.action),
    facts: isSameJson(lines[8], row.facts) ? (lines[8] ?? facts) : facts,
    changed: row.changed,
    note: typeof row.note === 'string' ? Buffer.from(row.note).toString('hex') : null,
    previous_hash: lines[11] ?? null,
    hash: String(row.hash),
    hashed_text: text ?? null,
    is_by_handed_link: row.by_handed_link === true,
  }
}
/** The exported facts. Those that histories have as a text of JSON are that text if it says the same. */
function currentFacts({ facts }, entries) {
  const last = entries.findLast(({ chain }) => chain === 1)
  const then = JSON.parse(last?.facts ?? '{}')
  return JSON.stringify(
    Object.fromEntries(
      Object.entries(facts).map(([name, value]) => [
        name,
        isSameJson(then[name], value) ? then[name] : value,
      ]),
    ),
  )
}
function isSameJson(text, value) {
  if (typeof text !== 'string' || typeof value !== 'object') return false
  try {
    return sorted(JSON.parse(text)) === sorted(value)
  } catch {
    return false
  }
}
function sorted(value) {
  return JSON.stringify(value, (_name, inner) =>
    typeof inner === 'object' && inner !== null && !Array.isArray(inner)
      ? Object.fromEntries(Object.entries(inner).sort(([a], [b]) => (a < b ? -1 : 1)))
      : inner,
  )
}
// src/features/months/month-page.ts
/**
 * The text from which the page's stored hash is computed. It lists all values in a fixed order, because the
 * database may reorder its JSON.
 */
function contentText(content) {
  const line = (values) => values.map((value) => (value === null ? '-' : JSON.stringify(value))).join(' ')
  const { figures } = content
  const byId = (a, b) => (a.id < b.id ? -1 : 1)
  return [
    line([content.format, content.month, content.currency, content.family, content.tutor]),
    line([content.asked_by, content.asked_at, content.closed_at, content.code, content.url]),
    line([figures.carriedOver, figures.sessions, figures.covered, figures.other, figures.paid]),
    line([figures.balance, figures.left]),
    ...(content.time_zone === void 0 ? [] : [line([content.time_zone])]),
    ...(content.region === void 0 ? [] : [line(['region', content.region])]),
    ...(content.handed_side === void 0 ? [] : [line(['by handed-over link', content.handed_side])]),
    ...(content.emailed_side === void 0 ? [] : [line(['by emailed link', content.emailed_side])]),
    ...SIDES.flatMap((side) => {
      const proof = content.proofs?.[side]
      if (!proof) return []
      const { key, nonce, authenticator_data, client_data, signature } = proof
      return [
        line(['signed', side, nonce, authenticator_data, client_data, signature]),
        line([key.kty, key.crv ?? null, key.x ?? null, key.y ?? null, key.n ?? null, key.e ?? null]),
      ]
    }),
    ...content.sessions
      .toSorted(byId)
      .flatMap((row) => [
        line(['session', row.id, row.day, row.minutes, row.rate_cents, row.total_cents, row.currency]),
        line([
          row.subject,
          row.first_name,
          row.family_at,
          row.practice_at,
          ...(row.is_make_up ? ['make-up'] : []),
        ]),
      ]),
    ...content.payments
      .toSorted(byId)
      .flatMap((row) => [
        line(['payment', row.id, row.day, row.kind, row.amount_cents, row.prepaid_minutes, row.method]),
        line([row.currency, row.first_name, row.family_at, row.practice_at]),
      ]),
    ...(content.charges ?? [])
      .toSorted(byId)
      .flatMap((row) => [
        line(['charge', row.id, row.day, row.amount_cents, row.reason, row.label]),
        line([row.currency, row.first_name, row.family_at, row.practice_at]),
      ]),
  ].join('\n')
}
var SIDES = ['family', 'practice']
// src/main/export-checker/pages.ts
var LINES = {
  session: 'sessions',
  payment: 'payments',
  charge: 'charges',
}
/** What a line has in common with the facts of its entry. db/repeatable/months.sql has the same, as month_facts. */
var ON_LINES = [
  'minutes',
  'total_cents',
  'rate_cents',
  'subject',
  'currency',
  'kind',
  'amount_cents',
  'prepaid_minutes',
  'method',
  'reason',
  'label',
]
/** Checks pages, and remembers those that the two sides' entries must still match. */
var PageChecker = class {
  #report
  #keys
  #current = []
  /** @param keys the server's public keys; without them, its signatures aren't checked */
  constructor(report, keys) {
    this.#report = report
    this.#keys = keys
  }
  async read(zip) {
    const complain = (problem) => this.#report.problems.push(problem)
    const open = /* @__PURE__ */ new Set()
    for await (const row of rowsOf(zip, 'connections', complain))
      if (row.state === 'asked' || row.state === 'active') open.add(row.id)
    let count = 0
    for await (const row of rowsOf(zip, 'closed_months', complain)) {
      if (row.state === 'asked' && row.page === null) continue
      count += 1
      const name = `the page of ${String(row.month)} with the code ${String(row.code)}`
      for (const problem of await problemsOf(row, this.#keys)) complain(`${name} ${problem}`)
      if (row.state === 'closed' && open.has(row.connection_id) && isRow(row.page))
        this.#current.push({
          name,
          connection: String(row.connection_id),
          month: String(row.month),
          lines: linesOf(row.page),
        })
    }
    const signatures = this.#keys ? ', with the server’s signatures' : ''
    this.#report.checked.push(`${counted(count, 'closed month')}${signatures}`)
  }
  /** Compares an entry with the page that it's on. */
  compare({ kind, id, facts }, { connection_id: connection, date }) {
    if (!ON_PAGES.includes(kind)) return
    const key = `${kind} ${id}`
    for (const { name, lines, ...page } of this.#current) {
      const line = lines.get(key)
      lines.delete(key)
      const isDue = connection === page.connection && String(date).startsWith(page.month)
      if (!line && isDue) this.#report.problems.push(`${key}: isn’t on ${name}`)
      if (
        line &&
        (line.day !== date || ON_LINES.some((fact) => fact in line && line[fact] !== factOf(facts, fact)))
      )
        this.#report.problems.push(`${key}: isn’t what ${name} says`)
    }
  }
  finish() {
    for (const { name, lines } of this.#current)
      for (const key of lines.keys()) this.#report.problems.push(`${key}: is missing, but on ${name}`)
  }
}
var isRow = (value) => typeof value === 'object' && value !== null
/** A fact of an entry, as pages have it: null if its kind doesn't have it. */
var factOf = (facts, fact) => facts[fact] ?? null
function linesOf(page) {
  return new Map(
    ON_PAGES.flatMap((kind) => {
      const lines = page[LINES[kind] ?? '']
      return Array.isArray(lines) ? lines.map((line) => [`${kind} ${line.id}`, line]) : []
    }),
  )
}
/** What's wrong with a page by itself. */
async function problemsOf(row, keys) {
  let text
  try {
    text = contentText(row.page)
  } catch {
    return ['can’t be read']
  }
  const page = row.page
  const told = [
    ['month', page.month, row.month],
    ['code', page.code, row.code],
    ['side that asked', page.asked_by, row.asked_by],
    ['time of asking', Date.parse(page.asked_at), Date.parse(String(row.asked_at))],
    ['time of closing', Date.parse(page.closed_at), Date.parse(String(row.closed_at))],
  ]
  return [
    ...(sha256(text) === row.hash ? [] : ['doesn’t match its hash']),
    ...told
      .filter(([, one, other]) => one !== other)
      .map(([what]) => `says another ${String(what)} than the file`),
    ...(isSigned(row, page) ? [] : ['isn’t what the server signed']),
    ...(keys ? await signatureProblems(row, keys) : []),
  ]
}
/** Whether the text that the server signed says the same, whoever wrote it. */
function isSigned(row, page) {
  try {
    const { agreed, code } = JSON.parse(String(row.signed_page))
    return agreed === agreedText(page) && code === page.code
  } catch {
    return false
  }
}
var BROKEN = 'has a signature by the server that doesn’t hold'
var ANSWERS = {
  no_page: BROKEN,
  changed: BROKEN,
  unknown_key: 'is signed by a key that isn’t in the file of keys',
  passkey: 'has a signature by passkey that doesn’t hold',
}
async function signatureProblems(row, keys) {
  const [page, key, signature] = [row.signed_page, row.page_key, row.page_signature].map(String)
  const file = attachmentOf({
    page: page ?? '',
    key: key ?? '',
    signature: signature ?? '',
  })
  const answer = answerOf(await checkPage(new TextEncoder().encode(file), keys))
  return answer === 'genuine' ? [] : [ANSWERS[answer]]
}
// src/main/export-checker/papers.ts
async function checkPapers(zip, report) {
  const complain = (problem) => report.problems.push(problem)
  const [papers, numbers] = [[], []]
  for await (const row of rowsOf(zip, 'papers', complain)) papers.push(row)
  for await (const row of rowsOf(zip, 'paper_numbers', complain)) numbers.push(row)
  for (const problem of numberProblems(papers, numbers)) complain(problem)
  const voided = papers.filter(({ voided_at: at }) => at !== null).length
  report.checked.push(`${counted(papers.length, 'paper')} (${voided} of them void)`)
}
/**
 * What's wrong with a practice's papers. Their numbers have no gaps in a year, and void ones keep theirs.
 * @param lasts the last number of each year
 */
function numberProblems(papers, lasts) {
  const voided = new Set(papers.flatMap(({ id, voided_at: at }) => (at === null ? [] : id)))
  const years = new Set(papers.map(({ year }) => year))
  for (const { year } of lasts) years.delete(year)
  return [
    ...lasts.flatMap(({ year, last }) =>
      problemsOfYear(
        String(year),
        papers.flatMap((paper) => (paper.year === year ? Number(paper.number) : [])),
        Number(last),
      ),
    ),
    ...[...years].map((year) => `the papers of ${String(year)} have no last number`),
    ...papers
      .filter(({ replaces }) => replaces !== null && !voided.has(replaces))
      .map(({ id }) => `paper ${String(id)} replaces one that isn’t void`),
  ]
}
function problemsOfYear(year, numbers, last) {
  const highest = Math.max(last, ...numbers)
  return [
    ...Array.from({ length: highest }, (_, at) => numbers.filter((one) => one === at + 1).length).flatMap(
      (count, at) => {
        if (count === 1) return []
        return `paper ${at + 1} of ${year} ${count === 0 ? 'is missing' : `is there ${count} times`}`
      },
    ),
    ...(highest > last ? [`the papers of ${year} go beyond ${last}, their last number`] : []),
  ]
}
// src/features/months/sign-off.ts
/**
 * The text from which a sign-off's hash is computed: who confirmed what and when. The order of the lines
 * doesn't matter.
 */
function signedText(month, tutorId, lines) {
  const sorted = [...lines].sort((a, b) => (a.day + a.session_id < b.day + b.session_id ? -1 : 1))
  return [
    `${month} ${tutorId}`,
    ...sorted.map((line) =>
      [
        line.session_id,
        line.day,
        line.minutes,
        line.rate_cents ?? '-',
        line.total_cents ?? '-',
        line.logged_at,
        line.confirmed_at,
        line.confirmed_entry,
      ].join(' '),
    ),
  ].join('\n')
}
// src/main/export-checker/sign-offs.ts
/**
 * A sign-off keeps only a hash of a month's sessions. Whether it's what was signed, or was changed afterward, as it may
 * be, can't be told from that, so a difference is no problem.
 */
var SignOffChecker = class {
  #report
  #signed = []
  /** What counts for the sign-offs of a month with a tutor. Undefined once something in it isn't confirmed. */
  #lines = /* @__PURE__ */ new Map()
  constructor(report) {
    this.#report = report
  }
  async read(zip) {
    for await (const row of rowsOf(zip, 'sign_offs', (problem) => this.#report.problems.push(problem))) {
      this.#signed.push(row)
      this.#lines.set(monthWith(row), [])
    }
  }
  /** Whether an entry's history is asked for. */
  concerns({ kind }, row) {
    return kind === 'session' && row.waits_on_same_lessons !== true && this.#lines.has(monthOfLesson(row))
  }
  add({ id, facts }, row, history) {
    const month = monthOfLesson(row)
    const [first] = history
    const confirmed = confirming(history)
    const lines = this.#lines.get(month)
    if (facts.state !== 'verified' || row.deletion_asked_by !== null || !first || !confirmed)
      return void this.#lines.set(month, void 0)
    lines?.push({
      session_id: id,
      day: String(row.date),
      minutes: Number(facts.minutes),
      rate_cents: facts.rate_cents,
      total_cents: facts.total_cents,
      logged_at: inMilliseconds(first.at),
      confirmed_at: inMilliseconds(confirmed.at),
      confirmed_entry: confirmed.hash,
    })
  }
  finish() {
    const isAsSigned = (row) => {
      const lines = this.#lines.get(monthWith(row))
      return (
        lines !== void 0 && sha256(signedText(String(row.month), String(row.tutor_id), lines)) === row.hash
      )
    }
    const changed = this.#signed.filter((row) => !isAsSigned(row))
    const same = this.#signed.length - changed.length
    this.#report.checked.push(`${counted(this.#signed.length, 'sign-off')} (${same} of them as signed)`)
    for (const { month, code } of changed)
      this.#report.notes.push(
        `the sign-off of ${String(month)} with the code ${String(code)}: its sessions aren’t what was signed any more.`,
      )
  }
}
var monthWith = ({ month, tutor_id: tutor }) => `${String(month)} ${String(tutor)}`
var monthOfLesson = ({ date, tutor_id }) =>
  monthWith({
    month: String(date).slice(0, 7),
    tutor_id,
  })
/** The entry that verified a session. features/months has the same for the database, as CONFIRMING. */
function confirming(history) {
  const own = history.filter(({ chain }) => chain === 1)
  const isVerified = (entry) => entry !== void 0 && JSON.parse(entry.facts).state === 'verified'
  return (
    own.findLast(
      ({ action }, at) =>
        action === 'confirmed' || action === 'accepted' || (action === 'merged' && !isVerified(own[at - 1])),
    ) ?? history.findLast(({ chain }) => chain === 2)
  )
}
// src/main/export-checker/zip.ts
var END = 101010256
var LISTED = 33639248
var LOCAL = 67324752
/** The end record, and the longest comment that can follow it. */
var LONGEST_END = 65557
/** Lists a ZIP's files. Throws if it isn't a ZIP, or if two of its files have the same name. */
function openZip(path) {
  const file = openSync(path, 'r')
  try {
    const files = listOf(file, fstatSync(file).size)
    const byName = new Map(files.map((one) => [one.name, one]))
    if (byName.size < files.length) throw new Error('two files in it have the same name')
    return {
      names: [...byName.keys()],
      read: (name) => {
        const one = byName.get(name)
        if (!one) throw new Error(`${name} is missing`)
        return unpacked(path, one)
      },
    }
  } finally {
    closeSync(file)
  }
}
function bytesAt(file, at, length) {
  const bytes = Buffer.alloc(length)
  if (at < 0 || readSync(file, bytes, 0, length, at) < length) throw new Error('it was cut short')
  return bytes
}
function listOf(file, size) {
  const length = Math.min(size, LONGEST_END)
  const tail = bytesAt(file, size - length, length)
  const end = tail.lastIndexOf(Buffer.from([80, 75, 5, 6]))
  if (end < 0 || end + 22 > tail.length || tail.readUInt32LE(end) !== END)
    throw new Error('it isn’t a ZIP file')
  const list = bytesAt(file, tail.readUInt32LE(end + 16), tail.readUInt32LE(end + 12))
  const files = []
  let at = 0
  for (let left = tail.readUInt16LE(end + 10); left > 0; left--) {
    if (at + 46 > list.length || list.readUInt32LE(at) !== LISTED)
      throw new Error('its list of files is damaged')
    const nameLength = list.readUInt16LE(at + 28)
    files.push({
      name: list.toString('utf8', at + 46, at + 46 + nameLength),
      method: list.readUInt16LE(at + 10),
      crc: list.readUInt32LE(at + 16),
      packed: list.readUInt32LE(at + 20),
      unpacked: list.readUInt32LE(at + 24),
      at: list.readUInt32LE(at + 42),
    })
    at += 46 + nameLength + list.readUInt16LE(at + 30) + list.readUInt16LE(at + 32)
  }
  return files
}
async function* unpacked(path, { name, method, crc, packed, unpacked: size, at }) {
  const damaged = (why) => /* @__PURE__ */ new Error(`${name} is damaged: ${why}`)
  if (method !== 0 && method !== 8) throw damaged('it’s packed in an unknown way')
  const file = openSync(path, 'r')
  let start
  try {
    const header = bytesAt(file, at, 30)
    if (header.readUInt32LE(0) !== LOCAL) throw damaged('it isn’t where the list says')
    start = at + 30 + header.readUInt16LE(26) + header.readUInt16LE(28)
  } finally {
    closeSync(file)
  }
  if (packed === 0) return
  const bytes = createReadStream(path, {
    start,
    end: start + packed - 1,
  })
  const inflate = createInflateRaw()
  bytes.on('error', (error) => inflate.destroy(error))
  let sum = 0
  let length = 0
  try {
    for await (const chunk of method === 8 ? bytes.pipe(inflate) : bytes) {
      sum = crc32(chunk, sum)
      length += chunk.length
      yield chunk
    }
  } catch (error) {
    throw damaged(error.message)
  }
  if (length !== size || sum !== crc) throw damaged('its bytes don’t match their checksum')
}
// src/main/export-checker/verify.ts
async function check(path, keysPath) {
  const report = {
    checked: [],
    problems: [],
    notes: [],
  }
  try {
    await checkZip(openZip(path), report, keysPath === void 0 ? void 0 : await keysIn(keysPath))
  } catch (error) {
    report.problems.push(`${path} can’t be read: ${error.message}`)
  }
  return report
}
async function keysIn(path) {
  const file = await readKeys(readFileSync(path, 'utf8'))
  if (!file) throw new Error(`${path} isn’t a file of keys`)
  return file.keys
}
async function checkZip(zip, report, keys) {
  const complain = (problem) => report.problems.push(problem)
  const tables = tablesIn(zip)
  for (const table of tables) await compareFormats(zip, table, complain)
  report.checked.push(`${tables.length} tables, each in two formats`)
  let side
  for await (const { kind } of rowsOf(zip, 'workspace', complain)) side = kind
  if (side !== 'family' && side !== 'practice') {
    report.notes.push('This export has only an account, without the records of a family or practice.')
    return
  }
  const pages = new PageChecker(report, keys)
  await pages.read(zip)
  const signOffs = new SignOffChecker(report)
  await signOffs.read(zip)
  await checkHistories(zip, side, report, (entry, row) => {
    pages.compare(entry, row)
    return signOffs.concerns(entry, row) ? (history) => signOffs.add(entry, row, history) : void 0
  })
  pages.finish()
  signOffs.finish()
  await checkPapers(zip, report)
}
var [path, keysPath] = process.argv.slice(2)
if (path === void 0) {
  console.error('Say which file to check: node verify.mjs EXPORT.zip [KEYS.json]')
  process.exitCode = 1
} else {
  const { checked, notes, problems } = await check(path, keysPath)
  for (const line of checked) console.log(`checked  ${line}`)
  for (const line of notes) console.log(`note     ${line}`)
  for (const line of problems) console.log(`WRONG    ${line}`)
  console.log(
    problems.length === 0
      ? 'Everything that can be checked is as it was written.'
      : `Problems: ${problems.length}. This export isn’t what the server wrote, or the server’s data was changed.`,
  )
  process.exitCode = problems.length === 0 ? 0 : 1
}
