// Who may open which page. The routes, the search and the shortcuts all ask here, so that none of them leads to a page that refuses.
import type { Me } from '#features/accounts/account.ts'
import { paths } from '#features/site/paths.ts'

/** What pages ask of the person who opens them. */
export interface Reader {
  role: NonNullable<Me['role']> | null
  /** False for viewers. */
  canLog: boolean
  /** False for viewers and caregivers. */
  canWrite: boolean
  seesAmounts: boolean
  hasAllStudents: boolean
}

interface Rights {
  only?: readonly Reader['role'][]
  /** The page is for logging sessions. */
  logs?: true
  /** The page is for changing records. */
  writes?: true
  /** The page shows what was paid and what's due, for everyone together. */
  showsPayments?: true
  /** The page is about all students together. */
  isForAll?: true
}

/** Pages that aren't for everyone who is signed in. */
const RIGHTS: Partial<Record<string, Rights>> = {
  [paths.tutorDashboard]: { only: ['tutor', 'admin'] },
  [paths.students]: { only: ['tutor', 'admin'] },
  [paths.children]: { only: ['parent'] },
  [paths.tutors]: { only: ['parent'] },
  [paths.admin]: { only: ['admin'] },
  [paths.addSession]: { logs: true },
  [paths.toConfirm]: { writes: true },
  [paths.sameLessons]: { writes: true, isForAll: true },
  [paths.importSessions]: { writes: true, isForAll: true },
  [paths.year]: { showsPayments: true },
  [paths.months]: { showsPayments: true },
  [paths.payments]: { showsPayments: true },
}

/** What keeps someone from a page; undefined if nothing does. */
export function obstacleTo(
  path: string,
  { role, canLog, canWrite, seesAmounts, hasAllStudents }: Reader,
): 'no-permission' | 'look-only' | { belongsTo: 'family' | 'practice' } | undefined {
  const { only, logs, writes, showsPayments, isForAll } = RIGHTS[path] ?? {}
  if (showsPayments && !(seesAmounts && hasAllStudents)) return 'no-permission'
  if ((logs || writes) && !canLog) return 'look-only'
  if ((writes && !canWrite) || (isForAll && !hasAllStudents)) return 'no-permission'
  if (only && !only.includes(role)) return { belongsTo: only.includes('parent') ? 'family' : 'practice' }
  return undefined
}
