// All paths in the app (docs/product.md, section 2).

export const paths = {
  home: '/',
  login: '/login',
  signup: '/signup',
  forgotPassword: '/forgot-password',
  resetPassword: '/reset-password',
  verifyEmail: '/verify-email',
  confirmEmail: '/confirm-email',
  notMe: '/not-me',
  terms: '/terms',
  privacy: '/privacy',
  contact: '/contact',
  help: '/help',
  demo: '/demo',
  verify: '/verify',
  dashboard: '/dashboard',
  tutorDashboard: '/tutor-dashboard',
  addSession: '/add-session',
  students: '/students',
  summary: '/summary',
  tutors: '/tutors',
  children: '/children',
  schedules: '/schedules',
  inviteFriends: '/invite-friends',
  optOut: '/opt-out',
  account: '/account',
  admin: '/admin',
  payments: '/payments',
  year: '/summary/year',
  taxes: '/summary/taxes',
  months: '/months',
  papers: '/papers',
  importSessions: '/import',
  toConfirm: '/to-confirm',
  sameLessons: '/same-lessons',
  mailedLink: '/confirm',
  handedLink: '/open',
  classQuestions: '/classes',
  join: '/join',
  tutor: '/tutors/:id',
  child: '/children/:id',
  student: '/students/:id',
} as const

/** One file that checks a closed month's page offline. It isn't a page of the app. */
export const PAGE_CHECKER = '/verify.html'

/** The page of one tutor, child or student. */
export function personPage(kind: 'tutor' | 'child' | 'student', id: string): string {
  return paths[kind].replace(':id', id)
}

/** A family's receipts and records, ready for a new one about this tutor. */
export function papersWith(tutorId: string): string {
  return `${paths.papers}?${new URLSearchParams({ tutor: tutorId }).toString()}`
}

/** The page of a closed month, or of one that a side asked to close. */
export function monthPage(connectionId: string, month: string): string {
  return `${paths.months}?${new URLSearchParams({ connection: connectionId, month }).toString()}`
}

/** The prerendered pages, which are served as static files. */
export const PUBLIC_PAGES = [
  paths.home,
  paths.login,
  paths.signup,
  paths.forgotPassword,
  paths.resetPassword,
  paths.verifyEmail,
  paths.confirmEmail,
  paths.notMe,
  paths.terms,
  paths.privacy,
  paths.contact,
  paths.help,
  paths.demo,
  paths.verify,
] as const

export const INDEXED_PAGES = [
  paths.home,
  paths.login,
  paths.signup,
  paths.contact,
  paths.help,
  paths.demo,
  paths.verify,
  paths.terms,
  paths.privacy,
] as const

/** The pages of the signed-in app. The server sends the same shell for all of them. */
export const APP_PAGES = Object.values(paths).filter(
  (path) => !(PUBLIC_PAGES as readonly string[]).includes(path),
)

/** The demo's pages: each of the app's pages, once per side. */
export const DEMO_PAGES = ['parent', 'tutor'].flatMap((side) =>
  APP_PAGES.map((path) => `${paths.demo}/${side}${path}`),
)
