// The signed-in person's rights, in the form page-rights.ts needs.
import { useCanLog, useCanWrite, useMe } from '#features/accounts/client.web.ts'
import type { Reader } from './page-rights.ts'

/** What the person may do and see in their current workspace. */
export function useReader(): Reader {
  const { role, can_see_amounts: seesAmounts, has_all_students: hasAllStudents } = useMe()
  return { role, canLog: useCanLog(), canWrite: useCanWrite(), seesAmounts, hasAllStudents }
}
