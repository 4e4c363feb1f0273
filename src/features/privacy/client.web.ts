// Export and deletion from a screen.
import { endedElsewhere } from '#features/accounts/client.web.ts'
import { SignInAgain } from '#features/accounts/profile.ts'
import { call, fetchFile } from '#platform/api.web.ts'
import { queryClient } from '#platform/query.web.ts'
import { DeleteAccount, ExportData } from './privacy.ts'

/** Fetches the export and hands it to the browser as a download. */
export async function downloadExport(): Promise<void> {
  const { blob, name } = await fetchFile(ExportData)
  const address = URL.createObjectURL(blob)
  const link = document.createElement('a')
  link.href = address
  link.download = name
  link.click()
  // The download has to begin before its source goes.
  setTimeout(() => URL.revokeObjectURL(address), 60_000)
}

/** Leaves for Google, which leads back to the deletion. */
export async function signInAgain(): Promise<void> {
  const { url } = await call(SignInAgain, {})
  location.assign(url)
}

/** Deletes the account; afterwards nobody is signed in. */
export async function deleteAccount(currentPassword: string): Promise<void> {
  await call(DeleteAccount, currentPassword ? { current_password: currentPassword } : {})
  queryClient.clear()
  endedElsewhere()
}
