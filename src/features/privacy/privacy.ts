// Rights that the law and the terms give everyone: to get a copy of all their data, and to have it deleted
// (docs/product-decisions.md, section 7).
import * as z from 'zod/mini'
import { OwnPassword } from '#features/accounts/profile.ts'
import { endpoint } from '#features/access/endpoint.ts'

export const ExportData = endpoint({
  operation: 'ExportData',
  summary: 'Download everything in the account as one ZIP: each table as JSON and CSV, plus a README',
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
  proof: 'recent',
})

export const DeleteAccount = endpoint({
  operation: 'DeleteAccount',
  summary: 'Delete the account: sign out everywhere right away, and erase everything within 30 days',
  method: 'DELETE',
  path: '/api/v1/me',
  access: 'confirmed',
  isFree: true,
  input: z.strictObject({ current_password: OwnPassword }),
  output: z.undefined(),
  limit: { hits: 20, seconds: 600 },
  proof: 'password',
})
