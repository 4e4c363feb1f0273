import assert from 'node:assert/strict'
import { test } from 'node:test'
import { parse } from 'csv-parse/sync'
import { verifyHistory } from '#features/agreements/jobs.server.ts'
import { removeScratch, scratchFolder, type TestServer } from './testing.server.ts'
import { keepVersion } from './testing/keep-version.server.ts'
import { accepted, PEOPLE } from './testing/kept-month.server.ts'
import {
  type Kept,
  keptVersions,
  placesOf,
  readKept,
  verdictIn,
  wordsOf,
} from './testing/kept-versions.server.ts'
import { goOn, signIn } from './testing/kept-walk.server.ts'
import { restoreInto, withServerOf } from './testing/restored.server.ts'
import { everythingSeen } from './testing/seen.server.ts'
import { inCalendar, inTodaysWords } from './testing/todays-words.server.ts'

/** What was refused before, and what's answered now. */
const ALLOWED_SINCE = new Set(['family: papers'])
/** Fields that say something about the machine. */
const OF_MACHINE = new Set(['speech_engine'])

const isRefusal = (answer: unknown): answer is { status: number } =>
  typeof answer === 'object' && answer !== null && 'status' in answer && 'code' in answer

/** A CSV file's rows by the names of their columns, without the sentences below the table. */
function rowsOf(text: string): Record<string, string>[] {
  const options = { bom: true, columns: true, relax_column_count: true, skip_empty_lines: true } as const
  return parse<Record<string, string>>(text, options).filter(({ Date: day = '' }) => /^\d/.test(day))
}

const inShort = (value: unknown) =>
  Array.isArray(value) ? `a list of ${value.length}` : JSON.stringify(value)

/** Where an answer says something else than it did, apart from what's new in it. */
function differences(now: unknown, before: unknown, at: string): string[] {
  const said = `${at}: ${inShort(before)} is ${inShort(now)} now`
  if (typeof before !== 'object' || before === null) return Object.is(now, before) ? [] : [said]
  if (typeof now !== 'object' || now === null) return [said]
  if (Array.isArray(before) && (!Array.isArray(now) || now.length !== before.length)) return [said]
  return Object.entries(before)
    .filter(([field]) => !OF_MACHINE.has(field))
    .flatMap(([field, value]) =>
      differences((now as Record<string, unknown>)[field], value, `${at} ${field}`),
    )
}

function changed(now: unknown, before: unknown, at: string): string[] {
  if (isRefusal(before)) {
    // That version didn't have the operation, or showed that person less.
    if (before.status === 404 || ALLOWED_SINCE.has(at)) return []
    return isRefusal(now) && now.status === before.status ? [] : [`${at} was refused before, and isn't now`]
  }
  const meant = inTodaysWords(before)
  if (typeof now === 'string' && typeof meant === 'string') return differences(rowsOf(now), rowsOf(meant), at)
  return differences(now, meant, at)
}

async function showsTheSame(server: TestServer, before: Kept): Promise<void> {
  const all: string[] = []
  for (const name of ['family', 'practice', 'caregiver'] as const) {
    const seen = await everythingSeen(await signIn(server, PEOPLE[name]), before)
    const answers = Object.entries(before.views[name] ?? {})
    assert.ok(answers.filter(([, answer]) => !isRefusal(answer)).length > 40, name)
    all.push(...answers.flatMap(([path, answer]) => changed(seen[path], answer, `${name}: ${path}`)))
  }
  const stranger = server.aStranger()
  const textOf = async (path = '') => (await stranger.call('GET', path)).bytes.toString()
  for (const [at, token] of [before.left.token, before.left['parent token']].entries()) {
    const opened = await accepted(stranger, 'POST /api/link/open', {}, { 'tutorlog-link': String(token) })
    all.push(...differences(opened, before.opened[at], `link ${at}`))
  }
  for (const [code, said] of Object.entries(before.verified))
    all.push(
      ...differences(verdictIn(wordsOf(await textOf(`/verify/${code}`))), verdictIn(said), `code ${code}`),
    )
  assert.deepEqual(all, [])
  assert.deepEqual(inCalendar(await textOf(before.left.calendar)), inCalendar(before.calendar))
}

async function isUpgraded({ backup, seen }: ReturnType<typeof placesOf>): Promise<void> {
  const before = readKept(seen)
  await withServerOf(
    before.clock,
    async (dataDir) => assert.match(await restoreInto(dataDir, backup), /^Restored \d+ rows/),
    async (server) => {
      await showsTheSame(server, before)
      assert.equal((await verifyHistory(server.db)).broken, undefined)
      await goOn(server, before)
      assert.equal((await verifyHistory(server.db)).broken, undefined)
    },
  )
}

test('F15: backups of earlier versions show the same to everybody, and both sides go on with them', async (t) => {
  for (const name of keptVersions()) await t.test(name, () => isUpgraded(placesOf(name)))
})

test('a backup of this version is kept the way every release’s is, and both sides go on with it', async () => {
  const folder = scratchFolder()
  try {
    const places = placesOf('this', folder)
    assert.match(await keepVersion(process.cwd(), places), /contains \d+ rows/)
    await isUpgraded(places)
  } finally {
    removeScratch(folder)
  }
})
