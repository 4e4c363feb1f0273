import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { test } from 'node:test'
import fc from 'fast-check'
import { canonicalText, firstBreak, type StoredEntry } from './history.ts'

const sha256 = (text: string) => createHash('sha256').update(text).digest('hex')

const fields = fc.record({
  at: fc
    .date({ min: new Date('2026-01-01'), max: new Date('2027-01-01'), noInvalidDate: true })
    .map((date) => date.toISOString().replace('Z', '000Z')),
  side: fc.constantFrom('owner', 'tutor'),
  actor_id: fc.option(fc.uuid()),
  action: fc.constantFrom('changed', 'confirmed', 'disputed'),
  tutor_id: fc.option(fc.uuid()),
  facts: fc.json(),
  changed: fc.subarray(['date', 'rate', 'subject']),
  note: fc.option(fc.string({ minLength: 1 }).map((text) => Buffer.from(text).toString('hex'))),
})

/** A chain as the database writes it. */
const chains = fc
  .record({ owner: fc.uuid(), session: fc.uuid(), entries: fc.array(fields, { minLength: 1, maxLength: 6 }) })
  .map(({ owner, session, entries }) => {
    const chain: StoredEntry[] = []
    for (const entry of entries) {
      const draft = {
        ...entry,
        workspace_id: owner,
        session_id: session,
        seq: chain.length + 1,
        previous_hash: chain.at(-1)?.hash ?? '',
        hash: '',
      }
      chain.push({ ...draft, hash: sha256(canonicalText(draft)) })
    }
    return chain
  })

test('a chain that nobody touched holds', () => {
  fc.assert(
    fc.property(chains, (chain) => assert.equal(firstBreak(chain, chain.at(-1)?.facts, sha256), undefined)),
  )
})

test('changing any one character of any entry is found at that entry', () => {
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

test('taking out, swapping or repeating entries is found', () => {
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

test('a session must say what its last entry says, and be gone where that says deleted', () => {
  fc.assert(
    fc.property(chains, (chain) => {
      assert.notEqual(firstBreak(chain, '{"other": true}', sha256), undefined)
      assert.notEqual(firstBreak(chain, undefined, sha256), undefined)
    }),
  )
  assert.equal(firstBreak([], '{}', sha256)?.problem, 'is missing')
})
