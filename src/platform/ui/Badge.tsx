import type { ReactNode } from 'react'

/** What a badge says besides its words. */
export type BadgeTone = 'plain' | 'parent' | 'tutor' | 'admin' | 'ok' | 'warn' | 'danger'

const TONES: Record<BadgeTone, string> = { plain: '', parent: 'b-parent', tutor: 'b-tutor', admin: 'b-admin', ok: 'b-ok', warn: 'b-warn', danger: 'b-err' }

export interface BadgeProps {
  tone?: BadgeTone
  /** A lucide icon. */
  icon?: ReactNode
  className?: string
  children: ReactNode
}

/** A small label on a soft tint. */
export function Badge({ tone = 'plain', icon, className = '', children }: BadgeProps) {
  return <span className={`bdg ${TONES[tone]} ${className}`}>{icon}{children}</span>
}

/** A person's role; nobody signed in without one sees the app's navigation. */
export type BadgeRole = 'parent' | 'tutor' | 'admin'

const ROLE_NAMES: Record<BadgeRole, string> = { parent: 'Parent', tutor: 'Tutor', admin: 'Admin' }

/** A person's role in its own colour. */
export function RoleBadge({ role, className }: { role: BadgeRole; className?: string }) {
  return <Badge tone={role} className={className}>{ROLE_NAMES[role]}</Badge>
}

/** A person's initials in a circle; whoever shows it gives the name beside it or in a label. */
export function Avatar({ initials }: { initials: string }) {
  return <span className="av" aria-hidden="true">{initials}</span>
}
