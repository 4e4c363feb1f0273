// The rules for anything two sides agree on, the same for each kind.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import pg from 'pg'
import { type Caller, startTestServer, type TestServer, withTestRoles } from '#main/testing.server.ts'
import { aPair, idOf, LESSON, type Pair, type Row } from '#main/testing/two-sides.server.ts'
import { type Agreed, isToConfirm, isUnanswered, standingOf } from './answer.ts'
import { verifyHistory } from './jobs.server.ts'

let server: TestServer
let superuser: pg.Client
before(async () => {
  server = await startTestServer()
  superuser = new pg.Client({ connectionString: server.superuserUrl })
  await superuser.connect()
})
after(async () => {
  await superuser.end()
  await server.stop()
})

/**
 * How each kind is entered by the family and changed, and how the family replies to a dispute. A payment that was
 * corrected is the reply (docs/decisions/0031-one-way-to-agree.md).
 */
const HOW = {
  session: {
    enter: ({ tutor, child }: Pair) => ({ ...LESSON, tutor_id: tutor, student_id: child }),
    change: { duration: 2 },
    reply: (round: number) => ['POST', '/answer', { note: `It was 90 minutes (${round})` }] as const,
    proposal: { duration: 0.75, rate: 52 },
    proposed: { duration: 0.75, total_amount: 39 },
    untouched: { duration: 1.5, total_amount: 67.5 },
    future: { date: '2027-03-01' },
    unstorable: { minutes: 45 },
    altered: '{day}',
  },
  payment: {
    enter: ({ tutor }: Pair) => ({ tutor_id: tutor, date: '2026-11-14', amount: 135, note: 'a secret' }),
    change: { amount: 90 },
    reply: (round: number) => ['PATCH', '', { amount: 120 + round }] as const,
    proposal: { date: '2026-11-13', amount: 90 },
    proposed: { date: '2026-11-13', amount: 90 },
    untouched: { date: '2026-11-14', amount: 135 },
    future: undefined,
    unstorable: { amount_cents: 9000 },
    altered: '{day}',
  },
  term: {
    enter: ({ tutor }: Pair) => ({ tutor_id: tutor, rules: { bands: [{ until_hours: 0, percent: 100 }] } }),
    change: { rules: { bands: [{ until_hours: 0, percent: 75 }] } },
    reply: (round: number) =>
      ['PATCH', '', { rules: { bands: [{ until_hours: 0, percent: 10 + round }] } }] as const,
    proposal: { rules: { bands: [{ until_hours: 0, percent: 50 }] } },
    proposed: { rules: { bands: [{ until_hours: 0, percent: 50 }] } },
    untouched: { rules: { bands: [{ until_hours: 0, percent: 100 }] } },
    future: undefined,
    unstorable: {
      rules: `'{"notice_hours": 24, "bands": [{"until_hours": 0, "percent": 50}], "is_illness_free": true}'`,
    },
    altered: '{rules}',
  },
  charge: {
    enter: ({ tutor }: Pair) => ({
      tutor_id: tutor,
      date: '2026-11-14',
      amount: 12.5,
      reason: 'materials',
      label: 'Reading book',
    }),
    change: { amount: -9 },
    reply: (round: number) => ['PATCH', '', { amount: 20 + round }] as const,
    proposal: { date: '2026-11-13', amount: 9 },
    proposed: { date: '2026-11-13', amount: 9, reason: 'materials', label: 'Reading book' },
    untouched: { date: '2026-11-14', amount: 12.5 },
    future: undefined,
    unstorable: { amount_cents: 900 },
    altered: '{day}',
  },
}

for (const kind of ['session', 'payment'] as const) {
  const path = (id: string, what = '') => `/api/v1/${kind}s/${id}${what}`
  const read = async (who: Caller, id: string) => (await who.call('GET', path(id))).body as Row
  const answer = (who: Caller, id: string, what: string, body: object = {}, version?: unknown) =>
    who.call('POST', path(id, `/${what}`), body, version ? { 'if-match': `"${Number(version)}"` } : {})
  const standing = async (id: string) => {
    const { rows } = await superuser.query<{ asks: string[]; reminders: number[] }>(
      `select array_remove(array[case when family_asked_since is not null then 'family' end,
          case when practice_asked_since is not null then 'practice' end], null) as asks,
        array[family_reminders, practice_reminders] as reminders from ${kind}s where id = $1 and connection_id is not null`,
      [id],
    )
    return rows[0]
  }
  const asks = async (id: string) => (await standing(id))?.asks
  const actions = async (who: Caller, id: string) =>
    ((await who.call('GET', path(id, '/history'))).body.entries as Row[]).map(
      (entry) => `${String(entry.by)} ${String(entry.action)}`,
    )
  async function entered() {
    const pair = await aPair(server)
    const { family } = pair
    const id = idOf(await family.call('POST', `/api/v1/${kind}s`, HOW[kind].enter(pair)))
    return { ...pair, id }
  }

  test(`D9: a ${kind} waits for a side until it answers, again once its facts change, and when the other side asks to delete it`, async () => {
    const { family, practice, id } = await entered()
    assert.deepEqual(await asks(id), ['practice'])
    await answer(practice, id, 'confirm')
    assert.deepEqual(await asks(id), [])
    await practice.call('DELETE', path(id, '/confirm'), {})
    assert.deepEqual(await asks(id), ['practice'])
    await answer(practice, id, 'dispute', { note: 'Not quite' })
    assert.deepEqual(await asks(id), [], 'it has to be corrected')
    await family.call('PATCH', path(id), HOW[kind].change)
    assert.deepEqual(await asks(id), ['practice'], 'the answer was about other facts')
    await answer(practice, id, 'confirm')
    await family.call('DELETE', path(id), {})
    assert.deepEqual(await asks(id), ['practice'])
    await answer(practice, id, 'keep')
    assert.deepEqual(await asks(id), [])
  })

  test(`D9: a reply to a dispute of a ${kind} asks the other side again, and only that side`, async () => {
    const { family, practice, id } = await entered()
    await answer(practice, id, 'dispute', { note: 'Not quite' })
    for (const round of [1, 2]) {
      assert.deepEqual(await asks(id), [], 'the family has to reply')
      const [method, what, reply] = HOW[kind].reply(round)
      assert.equal((await family.call(method, path(id, what), reply)).status, 200)
      assert.deepEqual(await standing(id), { asks: ['practice'], reminders: [0, 0] })
      await answer(practice, id, 'dispute', { note: 'Not quite' })
    }
    const [method, what, reply] = HOW[kind].reply(3)
    await family.call(method, path(id, what), reply)
    await answer(practice, id, 'confirm')
    assert.deepEqual(await asks(id), [])
  })

  test(`a ${kind} has the same status in each response as in the database, and waits for the same side`, async () => {
    const { family, practice, id } = await entered()
    const seen = async () => {
      const { rows } = await superuser.query<{ standing: string }>(
        `select standing_of(connection_id, deletion_asked_by, is_verified, is_disputed) as standing
          from ${kind}s where id = $1 and connection_id is not null`,
        [id],
      )
      const stored = rows[0]?.standing
      const asked = stored === 'waiting' ? await asks(id) : []
      for (const [who, side] of [
        [family, 'family'],
        [practice, 'practice'],
      ] as const) {
        const entry = (await read(who, id)) as Row & Agreed
        assert.deepEqual([standingOf(entry), isToConfirm(entry)], [stored, asked?.includes(side)], side)
      }
      return stored
    }
    const steps: [string, () => Promise<unknown>][] = [
      ['waiting', async () => undefined],
      ['verified', () => answer(practice, id, 'confirm')],
      ['waiting', () => family.call('DELETE', path(id, '/confirm'), {})],
      ['waiting', () => practice.call('DELETE', path(id, '/confirm'), {})],
      ['disputed', () => answer(practice, id, 'dispute', { note: 'Not quite' })],
      ['waiting', () => family.call('PATCH', path(id), HOW[kind].change)],
      ['verified', () => answer(practice, id, 'confirm')],
      ['leaving', () => family.call('DELETE', path(id), {})],
      ['verified', () => answer(practice, id, 'keep')],
    ]
    for (const [standing, act] of steps) {
      await act()
      assert.equal(await seen(), standing)
    }
  })

  const listed = async (who: Caller, id: string) => {
    const at = kind === 'session' ? 'confirmations?waiting=true' : `${kind}s/waiting`
    const { body } = await who.call('GET', `/api/v1/${at}`)
    return ((body[`${kind}s`] as Row[] | undefined) ?? []).find((one) => one.id === id)
  }

  test(`D9: proposed facts of a ${kind} change nothing until the other side accepts them, which confirms them for both`, async () => {
    const { family, practice, id } = await entered()
    const sent = await answer(practice, id, 'dispute', { proposal: HOW[kind].proposal })
    assert.equal(sent.status, 200, JSON.stringify(sent.body))
    const before = await read(family, id)
    assert.partialDeepStrictEqual(before, HOW[kind].untouched)
    assert.equal(standingOf(before as Row & Agreed), 'disputed')
    assert.deepEqual(await standing(id), { asks: ['family'], reminders: [0, 0] })
    assert.partialDeepStrictEqual((await listed(family, id))?.proposal, {
      by: 'other',
      ...HOW[kind].proposal,
    })
    assert.equal(await listed(practice, id), undefined)
    assert.equal((await answer(practice, id, 'accept')).body.code, 'not_proposed', 'not its own')
    const twice = await Promise.all([
      answer(family, id, 'accept', {}, before.version),
      answer(family, id, 'accept', {}, before.version),
    ])
    for (const { status, body } of twice) {
      assert.equal(status, 200, JSON.stringify(body))
      assert.partialDeepStrictEqual(body, { ...HOW[kind].proposed, own_confirmation: 'confirmed' })
    }
    for (const who of [family, practice]) {
      const entry = await read(who, id)
      assert.partialDeepStrictEqual(entry, HOW[kind].proposed)
      assert.equal(standingOf(entry as Row & Agreed), 'verified')
    }
    assert.deepEqual(await asks(id), [])
    assert.deepEqual(await actions(practice, id), ['other logged', 'you disputed', 'other accepted'])
    assert.equal((await verifyHistory(server.db)).broken, undefined)
  })

  test(`what a dispute of a ${kind} proposes is void once it is withdrawn or the facts change, and has to differ from them`, async () => {
    const { family, practice, id } = await entered()
    const nothing = await answer(practice, id, 'dispute', { proposal: {} })
    assert.deepEqual([nothing.status, nothing.body.code], [422, 'says_nothing'])
    assert.equal((await answer(practice, id, 'dispute', {})).body.code, 'says_nothing')
    if (HOW[kind].future)
      assert.equal(
        (await answer(practice, id, 'dispute', { proposal: HOW[kind].future })).body.code,
        'too_early',
      )
    await answer(practice, id, 'dispute', { proposal: HOW[kind].proposal })
    const seen = (await read(family, id)).version
    await practice.call('DELETE', path(id, '/confirm'), {})
    assert.equal((await answer(family, id, 'accept', {}, seen)).body.code, 'changed')
    assert.equal((await answer(family, id, 'accept')).body.code, 'not_proposed')
    await answer(practice, id, 'dispute', { note: 'So', proposal: HOW[kind].proposal })
    await family.call('PATCH', path(id), HOW[kind].change)
    assert.deepEqual(await asks(id), ['practice'], 'it is asked about the new facts')
    assert.equal((await answer(family, id, 'accept')).body.code, 'not_proposed')
    await answer(practice, id, 'dispute', { note: 'No' })
    assert.equal((await answer(family, id, 'accept')).body.code, 'not_proposed', 'a note is no proposal')
    assert.deepEqual(await asks(id), [])
  })

  test(`proposing that a ${kind} should go is consent to delete it, as long as the dispute stands`, async () => {
    const { family, practice, id } = await entered()
    await answer(practice, id, 'confirm')
    await answer(practice, id, 'dispute', { proposal: { is_removal: true } })
    await practice.call('DELETE', path(id, '/confirm'), {})
    assert.equal((await family.call('DELETE', path(id), {})).status, 202, 'no longer')
    await answer(family, id, 'keep')
    await answer(practice, id, 'dispute', { proposal: { is_removal: true } })
    assert.deepEqual(await asks(id), ['family'])
    assert.equal((await answer(family, id, 'accept')).status, 204)
    for (const who of [family, practice]) assert.equal((await read(who, id)).code, 'not_found')
    assert.equal((await verifyHistory(server.db)).broken, undefined)
  })

  test(`a proposal about a ${kind} is answered by another one, or by insisting, and both can't win`, async () => {
    const { family, practice, id } = await entered()
    await answer(practice, id, 'dispute', { proposal: HOW[kind].proposal })
    await answer(family, id, 'dispute', { proposal: { is_removal: true } })
    assert.deepEqual(await asks(id), ['practice'])
    await answer(practice, id, 'dispute', { proposal: HOW[kind].proposal })
    assert.deepEqual(await asks(id), ['family'])
    const [seen, shown] = [await read(family, id), await read(practice, id)]
    const both = await Promise.all([
      answer(family, id, 'accept', {}, seen.version),
      practice.call('PATCH', path(id), HOW[kind].change, { 'if-match': `"${Number(shown.version)}"` }),
    ])
    assert.deepEqual(both.map(({ status }) => status).sort(), [200, 409])
    assert.equal((await verifyHistory(server.db)).broken, undefined)
  })

  test(`a side can't write what the other proposes about a ${kind}, nor confirm anything else than that for it`, async () => {
    const { family, practice, id } = await entered()
    await answer(practice, id, 'dispute', { proposal: HOW[kind].proposal })
    const [column, value] = Object.entries(HOW[kind].unstorable)[0] ?? []
    const asFamily = (text: string) =>
      superuser.query(
        withTestRoles(`begin; set local role tutorlog_family; set local app.workspace_id = '${family.id}';
        set local app.account_id = '${family.id}'; ${text}; commit`),
      )
    await assert.rejects(
      asFamily(`update ${kind}s set practice_proposal = null where id = '${id}'`),
      /permission denied/,
    )
    await superuser.query('rollback')
    await superuser.query(
      `update ${kind}s set practice_proposal = jsonb_set(practice_proposal, $2, '"2026-11-01"') where id = $1`,
      [id, HOW[kind].altered],
    )
    await asFamily(`update ${kind}s set ${column} = ${value} where id = '${id}'`)
    assert.equal((await read(practice, id)).own_confirmation, 'none', 'other facts than it proposed')
    for (const proposal of ['{}', '{"day": "2026-11-01"}', '{"is_removed": false}', '[]'])
      await assert.rejects(
        superuser.query(
          `update ${kind}s set family_answer = 'disputed', family_answer_version = facts_version, family_proposal = $2 where id = $1`,
          [id, proposal],
        ),
        /check constraint/,
      )
  })

  test(`a question about a ${kind} starts its clock and its reminders anew`, async () => {
    const { family, practice, id } = await entered()
    await superuser.query(
      `update ${kind}s set practice_reminders = 2, practice_reminded_at = now() where id = $1`,
      [id],
    )
    assert.deepEqual((await standing(id))?.reminders, [0, 2])
    await family.call('PATCH', path(id), HOW[kind].change)
    assert.deepEqual((await standing(id))?.reminders, [0, 0])
    await answer(practice, id, 'confirm')
    assert.deepEqual(await asks(id), [])
  })

  test(`an answer about a ${kind} is for the version that was seen, and repeating it is no second one`, async () => {
    const { family, practice, id } = await entered()
    const { version } = await read(practice, id)
    await family.call('PATCH', path(id), HOW[kind].change)
    const late = await answer(practice, id, 'confirm', {}, version)
    assert.deepEqual([late.status, late.body.code], [409, 'changed'])
    const seen = (await read(practice, id)).version
    const taken = await Promise.all([
      answer(practice, id, 'confirm', {}, seen),
      answer(practice, id, 'confirm', {}, seen),
    ])
    assert.deepEqual(
      taken.map(({ status, body }) => [status, body.own_confirmation]),
      [1, 2].map(() => [200, 'confirmed']),
    )
    assert.deepEqual(
      (await actions(practice, id)).filter((one) => one === 'you confirmed'),
      ['you confirmed'],
    )
  })

  test(`the history of a ${kind} says who did what, on either side, and cannot be altered`, async () => {
    const { family, practice, id } = await entered()
    await answer(practice, id, 'dispute', { note: 'Not quite' })
    await family.call('PATCH', path(id), HOW[kind].change)
    await answer(practice, id, 'confirm')
    await family.call('DELETE', path(id), {})
    await answer(family, id, 'keep')
    const told = ['logged', 'disputed', 'changed', 'confirmed', 'deletion asked', 'kept']
    const sides = ['family', 'practice', 'family', 'practice', 'family', 'family']
    for (const [who, own] of [
      [family, 'family'],
      [practice, 'practice'],
    ] as const)
      assert.deepEqual(
        await actions(who, id),
        told.map((action, at) => `${sides[at] === own ? 'you' : 'other'} ${action}`),
      )
    const { entries } = (await practice.call('GET', path(id, '/history'))).body as { entries: Row[] }
    assert.equal(entries[1]?.note, 'Not quite')
    assert.equal(JSON.stringify(entries).includes('secret'), false, 'no private note')
    await assert.rejects(superuser.query('update history set note = null'), /append-only/)
    const stranger = await server.aUser()
    assert.equal((await stranger.call('GET', path(id, '/history'))).status, 404)
    assert.equal((await verifyHistory(server.db)).broken, undefined)
  })

  test(`a ${kind} that the other side confirmed is deleted only with its consent, or left after the deadline`, async () => {
    const { family, practice, id } = await entered()
    await answer(practice, id, 'confirm')
    assert.equal((await family.call('DELETE', path(id), {})).status, 202)
    assert.equal((await family.call('DELETE', path(id), {})).status, 202, 'not yet')
    await superuser.query(
      `update ${kind}s set practice_asked_since = now() - interval '29 days' where id = $1`,
      [id],
    )
    assert.equal((await family.call('DELETE', path(id), {})).status, 204)
    assert.equal((await read(family, id)).code, 'not_found')
    assert.equal((await read(practice, id)).is_shared, false, 'the practice keeps its copy')
    assert.deepEqual((await actions(practice, id)).at(-1), 'other deletion asked')
    assert.equal((await verifyHistory(server.db)).broken, undefined)
  })

  test(`nothing about a ${kind} is answered or changed while the other side's account is closed`, async () => {
    const { family, practice, id } = await entered()
    await answer(family, id, 'dispute', { proposal: HOW[kind].proposal })
    await superuser.query('update users set disabled_at = now() where id = $1', [family.id])
    const { is_read_only } = await read(practice, id)
    assert.equal(is_read_only, true)
    for (const refused of [
      await answer(practice, id, 'confirm'),
      await answer(practice, id, 'dispute', { note: 'Not quite' }),
      await answer(practice, id, 'accept'),
      await practice.call('PATCH', path(id), HOW[kind].change),
      await practice.call('DELETE', path(id), {}),
    ])
      assert.deepEqual([refused.status, refused.body.code], [409, 'other_closed'])
    assert.deepEqual(await actions(practice, id), ['other logged', 'other disputed'])
  })
}

test('the asker may leave from the moment that the screens show as the deadline', async () => {
  const now = new Date('2026-11-30T12:00:00Z')
  const ago = (days: number) => new Date(now.getTime() - days * 86_400_000).toISOString()
  const days = [0, 1, 2.9, 3, 3.1, 10, 11, 13, 13.9, 14, 14.1, 16, 17, 20, 24, 25, 27.9, 28, 28.1, 40]
  const cases = days.flatMap((asked) =>
    [0, 1, 2].flatMap((reminders) =>
      (reminders === 0 ? [null] : days.filter((last) => last <= asked)).map((last) => ({
        asked_at: ago(asked),
        reminders,
        reminded_at: last === null ? null : ago(last),
      })),
    ),
  )
  const { rows } = await superuser.query<{ is_overdue: boolean }>(
    `select is_overdue(asked_at, reminders, reminded_at, $2) from jsonb_to_recordset($1)
      as c (at integer, asked_at timestamptz, reminders integer, reminded_at timestamptz) order by at`,
    [JSON.stringify(cases.map((one, at) => ({ ...one, at }))), now],
  )
  for (const [at, one] of cases.entries())
    assert.equal(
      isUnanswered({ ...one, date: '2026-11-30', deletion_asked_by: 'you' }, now),
      rows[at]?.is_overdue,
      JSON.stringify(one),
    )
})
