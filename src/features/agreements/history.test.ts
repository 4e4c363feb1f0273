import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { test } from 'node:test'
import fc from 'fast-check'
import { breaksOf, openEnds, saysTheSame, type SeenEntry, type StoredEntry } from './history.ts'

/** The first invalid entry. */
const firstBreak = (...of: Parameters<typeof breaksOf>) => breaksOf(...of)[0]
const sha256 = (text: string) => createHash('sha256').update(text).digest('hex')

const fields = fc.record({
  at: fc
    .date({ min: new Date('2026-01-01'), max: new Date('2027-01-01'), noInvalidDate: true })
    .map((date) => date.toISOString().replace('Z', '000Z')),
  side: fc.constantFrom('family', 'practice'),
  action: fc.constantFrom('changed', 'confirmed', 'disputed'),
  facts: fc
    .record({ minutes: fc.nat(1440), subject: fc.option(fc.string()), currency: fc.constant('USD') })
    .map((facts) => JSON.stringify(facts)),
  changed: fc.subarray(['date', 'rate', 'subject']),
  note: fc.option(fc.string({ minLength: 1 }).map((text) => Buffer.from(text).toString('hex'))),
  is_by_handed_link: fc.boolean(),
})
type Fields = typeof fields extends fc.Arbitrary<infer Entry> ? Entry : never

/**
 * An entry's text as hashed by the database (db/repeatable/history.sql), or in the older format from before
 * sessions had two sides.
 */
function textOf(
  { at, side, action, facts, changed, note, is_by_handed_link: isByLink }: Fields,
  session: string,
  place: { seq: number; previous_hash: string; isOld: boolean },
): string {
  return [
    place.isOld ? '00000000-0000-4000-8000-000000000001' : '2',
    session,
    place.seq,
    at,
    place.isOld && side === 'practice' ? 'tutor' : place.isOld ? 'owner' : side,
    isByLink ? 'by handed-over link' : '-',
    action,
    '-',
    facts,
    changed.join(','),
    note ?? '-',
    place.previous_hash,
  ].join('\n')
}

function chainOf(session: string, entries: Fields[], chain = 1, isOld = false): StoredEntry[] {
  const done: StoredEntry[] = []
  for (const entry of entries) {
    const place = { seq: done.length + 1, previous_hash: done.at(-1)?.hash ?? '', isOld }
    const hashed_text = textOf(entry, session, place)
    const { seq, previous_hash } = place
    done.push({
      ...entry,
      chain,
      entry_id: session,
      seq,
      previous_hash,
      hashed_text,
      hash: sha256(hashed_text),
    })
  }
  return done
}

/** A valid chain like the ones the database writes. */
const chains = fc
  .record({
    session: fc.uuid(),
    entries: fc.array(fields, { minLength: 1, maxLength: 6 }),
    isOld: fc.boolean(),
  })
  .map(({ session, entries, isOld }) => chainOf(session, entries, 1, isOld))

test('an unchanged chain is valid', () => {
  fc.assert(
    fc.property(chains, (chain) => assert.equal(firstBreak(chain, chain.at(-1)?.facts, sha256), undefined)),
  )
})

test('changing any character is detected, and the entry is named', () => {
  fc.assert(
    fc.property(
      chains,
      fc.nat(),
      fc.nat(),
      fc.constantFrom(...'0123456789abcdefxyz \n'),
      (chain, which, where, character) => {
        const at = which % chain.length
        const entry = chain[at] as StoredEntry
        const names = (Object.keys(entry) as (keyof StoredEntry)[]).filter(
          (name) => typeof entry[name] === 'string' && (entry[name] as string).length > 0,
        )
        for (const name of names) {
          const text = entry[name] as string
          const place = where % text.length
          if (text[place] === character) continue
          const altered = chain.map((other, index) =>
            index === at
              ? { ...other, [name]: text.slice(0, place) + character + text.slice(place + 1) }
              : other,
          )
          assert.equal(firstBreak(altered, altered.at(-1)?.facts, sha256)?.seq, at + 1, name)
        }
      },
    ),
  )
})

test('removing, swapping or repeating entries is detected', () => {
  fc.assert(
    fc.property(
      chains.filter((chain) => chain.length > 2),
      fc.nat(),
      (chain, which) => {
        const at = which % (chain.length - 1)
        const facts = chain.at(-1)?.facts
        assert.notEqual(
          firstBreak(
            chain.filter((_, index) => index !== at),
            facts,
            sha256,
          ),
          undefined,
        )
        assert.notEqual(
          firstBreak(
            [
              ...chain.slice(0, at),
              chain[at + 1] as StoredEntry,
              chain[at] as StoredEntry,
              ...chain.slice(at + 2),
            ],
            facts,
            sha256,
          ),
          undefined,
        )
        assert.notEqual(firstBreak([...chain, chain[at] as StoredEntry], facts, sha256), undefined)
      },
    ),
  )
})

test('a session must match its last entry, and must not exist if that says deleted', () => {
  fc.assert(
    fc.property(chains, (chain) => {
      assert.notEqual(firstBreak(chain, '{"currency":"USD","minutes":1441}', sha256), undefined)
      assert.notEqual(firstBreak(chain, undefined, sha256), undefined)
    }),
  )
  assert.equal(firstBreak([], '{}', sha256)?.problem, 'is missing')
})

test('every line of an entry must match the text that was hashed', () => {
  fc.assert(
    fc.property(chains, (chain) => {
      for (const entry of chain) {
        assert.ok(saysTheSame(entry))
        assert.ok(!saysTheSame({ ...entry, is_by_handed_link: !entry.is_by_handed_link }))
        for (const other of [{ seq: entry.seq + 1 }, { action: 'kept' }, { facts: '{}' }, { note: '00' }])
          assert.ok(!saysTheSame({ ...entry, ...other }), JSON.stringify(other))
        assert.ok(!saysTheSame({ ...entry, side: 'system' }))
        if (entry.hashed_text.startsWith('2\n'))
          assert.ok(!saysTheSame({ ...entry, side: entry.side === 'family' ? 'practice' : 'family' }))
        for (const other of [{ changed: ['day'] }, { entry_id: 'x' }, { previous_hash: 'x' }, { at: 'x' }])
          assert.ok(!saysTheSame({ ...entry, ...other }), JSON.stringify(other))
        assert.ok(!saysTheSame({ ...entry, hashed_text: `${entry.hashed_text}\nmore` }))
      }
    }),
  )
})

test('a merged session has two chains: both must be valid, and the session must match the end of its own', () => {
  fc.assert(
    fc.property(
      fc.uuid(),
      fc.uuid(),
      fc.array(fields, { minLength: 1, maxLength: 4 }),
      (own, other, entries) => {
        const [first, second] = [chainOf(own, entries), chainOf(other, entries, 2)]
        const facts = first.at(-1)?.facts
        assert.equal(firstBreak([...first, ...second], facts, sha256), undefined)
        const [head, ...rest] = second as [StoredEntry, ...StoredEntry[]]
        const altered = [...first, { ...head, action: 'kept' }, ...rest]
        assert.deepEqual(firstBreak(altered, facts, sha256), { seq: 1, problem: 'was altered' })
        if (rest.length > 0) assert.notEqual(firstBreak([...first, ...rest], facts, sha256), undefined)
      },
    ),
  )
})

/** A chain that ends with its merge with another one, and that one. */
function merged(own: string, entries: Fields[], other: StoredEntry[]): StoredEntry[] {
  const last = { ...(entries[0] as Fields), action: 'merged' as never, changed: [], note: null }
  const facts = JSON.stringify({ ...(JSON.parse(last.facts) as object), merged: other.at(-1)?.hash })
  return [...chainOf(own, [...entries, { ...last, facts }]), ...other]
}

test('what was merged is found cut at its end or missing, if the entry about the merge names its end', () => {
  const several = fc.array(fields, { minLength: 2, maxLength: 4 })
  fc.assert(
    fc.property(fc.uuid(), fc.uuid(), several, several, (own, other, entries, theirs) => {
      const whole = merged(own, entries, chainOf(other, theirs, 2))
      const facts = whole.findLast(({ chain }) => chain === 1)?.facts
      assert.equal(firstBreak(whole, facts, sha256), undefined)
      assert.equal(openEnds(whole), 0)
      const found = { seq: entries.length + 1, problem: 'does not match the end of what was merged' }
      assert.deepEqual(firstBreak(whole.slice(0, -1), facts, sha256), found)
      assert.deepEqual(
        firstBreak(
          whole.filter(({ chain }) => chain === 1),
          facts,
          sha256,
        ),
        found,
      )
      // Nothing says where a third chain ends.
      assert.equal(openEnds([...whole, ...chainOf(other, theirs.slice(1), 3)]), 1)
    }),
  )
})

test('without the text that was hashed, only the place of an entry is checked, and none follows one with its text', () => {
  fc.assert(
    fc.property(fc.uuid(), fc.array(fields, { minLength: 3, maxLength: 5 }), (session, entries) => {
      const whole = chainOf(session, entries)
      const facts = whole.at(-1)?.facts
      const without = (count: number): SeenEntry[] =>
        whole.map((entry, at) => (at < count ? { ...entry, hashed_text: null, previous_hash: null } : entry))
      assert.equal(firstBreak(without(2), facts, sha256), undefined)
      assert.deepEqual(firstBreak(without(2).slice(1), facts, sha256), { seq: 1, problem: 'is missing' })
      const [first, second, ...rest] = without(2) as [SeenEntry, SeenEntry, ...SeenEntry[]]
      assert.notEqual(firstBreak([first, { ...second, hash: first.hash }, ...rest], facts, sha256), undefined)
      const lost = [whole[0] as SeenEntry, second, ...rest]
      assert.deepEqual(firstBreak(lost, facts, sha256), {
        seq: 2,
        problem: 'has lost the text that was hashed',
      })
    }),
  )
})
