// What everyone takes along checks out by itself.
import assert from 'node:assert/strict'
import { checked, exportOf } from '#main/testing/exports.server.ts'
import { visitors, world } from './here.ts'

/** Exports every family and practice, and runs the checker in each export. */
export async function checkExports(): Promise<void> {
  for (const { account, role, workspace } of world.members) {
    const visitor = visitors.get(account)
    if (role !== 'owner' || account.isClosed || !visitor) continue
    const { code, lines } = checked(await exportOf(visitor, { 'tutorlog-workspace': workspace.id }))
    assert.equal(code, 0, `the export of ${account.name}:\n${lines.join('\n')}`)
    if (process.env.MODEL_REPORT) console.log(lines.filter((line) => /note|chains/.test(line)).join('\n'))
  }
}
