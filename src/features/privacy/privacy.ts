// What the law and the terms give everyone: a copy of everything, and its deletion (decisions, section 7).
import * as z from 'zod/mini'
import { NOT_PROVEN, OwnPassword } from '#features/accounts/profile.ts'
import { endpoint } from '#kernel/endpoint.ts'

export const ExportData = endpoint({
  operation: 'ExportData',
  summary: 'Everything the account holds, as one ZIP: JSON and CSV of each table, and a README',
  method: 'POST',
  path: '/api/v1/export',
  access: 'confirmed',
  isFree: true,
  input: z.strictObject({}),
  output: z.custom<AsyncIterable<Uint8Array>>(
    (file) => typeof file === 'object' && file !== null && Symbol.asyncIterator in file,
  ),
  produces: 'application/zip',
  limit: { hits: 20, seconds: 3600 },
})

export const DeleteAccount = endpoint({
  operation: 'DeleteAccount',
  summary: 'Delete the account: signs out everywhere at once and purges within 30 days',
  method: 'DELETE',
  path: '/api/v1/me',
  access: 'confirmed',
  isFree: true,
  input: z.strictObject({ current_password: OwnPassword }),
  output: z.undefined(),
  limit: { hits: 20, seconds: 600 },
  refusals: NOT_PROVEN,
})
