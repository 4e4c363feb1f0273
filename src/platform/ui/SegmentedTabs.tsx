import { Tabs } from '@base-ui/react/tabs'
import type { ReactNode } from 'react'

interface SegmentedTab<Value extends string> {
  value: Value
  label: string
  icon?: ReactNode
  panel: ReactNode
}

interface SegmentedTabsProps<Value extends string> {
  /** The group's accessible name, for example "How to add". */
  label: string
  value: Value
  onValueChange: (value: Value) => void
  tabs: readonly SegmentedTab<Value>[]
  /** Hidden panels stay in the DOM, so that anything typed into them isn't lost. */
  keepMounted?: boolean
  className?: string
}

/** Two to four views of the same content, shown one at a time. */
export function SegmentedTabs<Value extends string>({
  label,
  value,
  onValueChange,
  tabs,
  keepMounted = false,
  className = 'mt-4',
}: SegmentedTabsProps<Value>) {
  return (
    <Tabs.Root value={value} onValueChange={(next: Value) => onValueChange(next)} className={className}>
      <Tabs.List className="seg" aria-label={label} activateOnFocus>
        {tabs.map((tab) => (
          <Tabs.Tab key={tab.value} value={tab.value}>
            {tab.icon}
            {tab.label}
          </Tabs.Tab>
        ))}
      </Tabs.List>
      {tabs.map((tab) => (
        <Tabs.Panel key={tab.value} value={tab.value} keepMounted={keepMounted}>
          {tab.panel}
        </Tabs.Panel>
      ))}
    </Tabs.Root>
  )
}
