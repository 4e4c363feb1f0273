import { Menu } from '@base-ui/react/menu'
import type { ReactElement } from 'react'
import { Link } from 'react-router'
import { type BadgeRole, RoleBadge } from './Badge.tsx'

/** One line of the account menu: it goes somewhere or does something. */
export type AccountMenuItem = { label: string; to: string; onSelect?: undefined } | { label: string; onSelect: () => void; to?: undefined }

export interface AccountMenuProps {
  displayName: string
  role: BadgeRole | null
  items: readonly AccountMenuItem[]
  /** The button that opens it. */
  trigger: ReactElement
}

/** The menu under the avatar. */
export function AccountMenu({ displayName, role, items, trigger }: AccountMenuProps) {
  return (
    <Menu.Root modal={false}>
      <Menu.Trigger render={trigger} />
      <Menu.Portal>
        <Menu.Positioner className="menu-layer" sideOffset={6} align="end" collisionPadding={12}>
          <Menu.Popup className="menu">
            <Menu.Group>
              <Menu.GroupLabel className="menu-head">
                <span className="line-clamp-2 font-semibold" title={displayName}>{displayName}</span>
                {role && <RoleBadge role={role} />}
              </Menu.GroupLabel>
              {items.map((item) =>
                item.to === undefined ? (
                  <Menu.Item key={item.label} className="menu-item" onClick={item.onSelect}>{item.label}</Menu.Item>
                ) : (
                  <Menu.LinkItem key={item.label} className="menu-item" closeOnClick render={<Link to={item.to} />}>{item.label}</Menu.LinkItem>
                ),
              )}
            </Menu.Group>
          </Menu.Popup>
        </Menu.Positioner>
      </Menu.Portal>
    </Menu.Root>
  )
}
