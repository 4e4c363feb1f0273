// Returns the signed-in person's rights in the format of page-rights.ts.
import { useCanLog, useCanWrite, useMe } from '#features/accounts/client.web.ts'
import type { Reader } from './page-rights.ts'

/** The person's rights in their current workspace. */
export function useReader(): Reader {
  const { role, can_see_amounts: seesAmounts, has_all_students: hasAllStudents } = useMe()
  return { role, canLog: useCanLog(), canWrite: useCanWrite(), seesAmounts, hasAllStudents }
}
