import { endedElsewhere } from '#features/accounts/client.web.ts'
import { call } from '#platform/api.web.ts'
import { download } from '#platform/file.web.ts'
import { queryClient } from '#platform/query.web.ts'
import { DeleteAccount, ExportData } from './privacy.ts'

export async function downloadExport(): Promise<void> {
  await download(ExportData, {})
}

/** Deletes the account and signs out. */
export async function deleteAccount(currentPassword: string): Promise<void> {
  await call(DeleteAccount, currentPassword ? { current_password: currentPassword } : {})
  queryClient.clear()
  endedElsewhere()
}
