// Who can open which page. Routes, search and shortcuts all follow these rules, so none of them leads to a
// page that the person can't open.
import type { Me } from '#features/accounts/account.ts'
import { paths } from '#features/site/paths.ts'

/** The rights that decide which pages a person can open. */
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
  /** Only for people who can log sessions. */
  logs?: true
  /** Only for people who can change records. */
  writes?: true
  /**
   * The page shows payments and balances for all students, so it's only for people who can see amounts and
   * all students.
   */
  showsPayments?: true
  /** Only for members who see all students. */
  isForAll?: true
}

/** Pages with restricted access. */
const RIGHTS: Partial<Record<string, Rights>> = {
  [paths.tutorDashboard]: { only: ['tutor', 'admin'] },
  [paths.students]: { only: ['tutor', 'admin'] },
  [paths.children]: { only: ['parent'] },
  [paths.tutors]: { only: ['parent'] },
  [paths.student]: { only: ['tutor', 'admin'] },
  [paths.child]: { only: ['parent'] },
  [paths.tutor]: { only: ['parent'] },
  [paths.admin]: { only: ['admin'] },
  [paths.addSession]: { logs: true },
  [paths.toConfirm]: { writes: true },
  [paths.sameLessons]: { writes: true, isForAll: true },
  [paths.importSessions]: { writes: true, isForAll: true },
  [paths.year]: { showsPayments: true },
  [paths.taxes]: { only: ['tutor', 'admin'], showsPayments: true },
  [paths.months]: { showsPayments: true },
  [paths.papers]: { showsPayments: true },
  [paths.payments]: { showsPayments: true },
}

/** Why someone can't open a page; undefined if they can. */
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
