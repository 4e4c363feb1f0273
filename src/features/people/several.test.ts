// Several children or tutors can be added by name in one call.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { MAX_STUDENTS } from '#features/students/student.ts'
import { startTestServer, type TestServer } from '#main/testing.server.ts'
import { MAX_TUTORS } from '#features/tutors/tutor.ts'

let server: TestServer
before(async () => {
  server = await startTestServer()
})
after(async () => server.stop())

for (const [list, most] of [
  ['students', MAX_STUDENTS],
  ['tutors', MAX_TUTORS],
] as const)
  test(`several ${list} are added in one call, all or none`, async () => {
    const parent = await server.aUser()
    const path = `/api/v1/${list}`
    const several = (names: unknown, key?: string) =>
      parent.call('POST', `${path}/several`, { names }, key ? { 'idempotency-key': key } : undefined)
    const listed = async () =>
      ((await parent.call('GET', path)).body as unknown as { name: string }[]).map(({ name }) => name)
    const answers = [await several([' Ada ', 'Ben'], 'once'), await several([' Ada ', 'Ben'], 'once')]
    assert.deepEqual(
      answers.map(({ status }) => status),
      [201, 201],
    )
    const made = answers[0]?.body[list] as { name: string; version: number }[]
    assert.deepEqual(
      made.map(({ name, version }) => [name, version]),
      [
        ['Ada', 1],
        ['Ben', 1],
      ],
    )
    for (const names of [[], ['Cleo', '  '], ['Cleo', 'x'.repeat(121)], Array(101).fill('Cleo'), 'Cleo'])
      assert.equal((await several(names)).status, 422)
    await server.db.asMember(parent.member, (tx) =>
      tx
        .insertInto(list)
        .values(
          Array.from({ length: most - 4 }, (_, at) => ({
            workspace_id: parent.member.workspaceId,
            name: `Row ${at}`,
          })),
        )
        .execute(),
    )
    const tooMany = await several(['Cleo', 'Dora', 'Ed'])
    assert.deepEqual([tooMany.status, tooMany.body.code], [422, 'too_many_rows'])
    assert.equal((await listed()).includes('Cleo'), false)
    assert.equal((await several(['Cleo', 'Dora'])).status, 201)
    assert.equal((await listed()).length, most)
  })
