import { h } from 'vue'
import type { Theme as AnyTheme } from 'vitepress'
import Theme from 'vitepress/theme-without-fonts'
import CreateCommand from './CreateCommand.vue'
import './style.css'

const theme: AnyTheme = {
  extends: Theme,
  Layout: () => h(Theme.Layout, null, { 'home-hero-actions-after': () => h(CreateCommand) }),
}

export default theme
