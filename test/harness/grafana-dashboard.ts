import type {
  AnnotationQuery,
  Dashboard,
  DataQuery,
  FieldConfig,
  FieldConfigSource,
  GraphFieldConfig,
  Panel,
  RowPanel,
} from "@grafana/schema";
import type { Options as StatOptions } from "@grafana/schema/dist/esm/raw/composable/stat/panelcfg/x/StatPanelCfg_types.gen";
import type { Options as TextOptions } from "@grafana/schema/dist/esm/raw/composable/text/panelcfg/x/TextPanelCfg_types.gen";
import type { Options as TimeSeriesOptions } from "@grafana/schema/dist/esm/raw/composable/timeseries/panelcfg/x/TimeSeriesPanelCfg_types.gen";
import typia from "typia";

/** Fields that the Prometheus data source adds to a query; Grafana's package has no type for them. */
interface PrometheusQuery extends Omit<DataQuery, "datasource"> {
  readonly datasource: { readonly type: "prometheus"; readonly uid: string };
  readonly expr: string;
  readonly legendFormat?: string;
  readonly editorMode: "code";
  readonly instant?: true;
  readonly range?: true;
}

interface PrometheusAnnotation extends Omit<AnnotationQuery, "target"> {
  readonly target: PrometheusQuery;
  readonly titleFormat?: string;
}

/** A panel with its plugin's types: Grafana's panel type leaves options, field settings and queries open. */
interface PanelOf<Type extends string, Options, Custom>
  extends Omit<Panel, "type" | "options" | "fieldConfig" | "targets" | "transformations"> {
  readonly id: number;
  readonly type: Type;
  readonly title: string;
  readonly gridPos: { readonly x: number; readonly y: number; readonly w: number; readonly h: number };
  readonly options: Options;
  readonly fieldConfig: Omit<FieldConfigSource, "defaults"> & { readonly defaults: Omit<FieldConfig, "custom"> & Custom };
  readonly targets?: readonly PrometheusQuery[];
}
export type ChartPanel =
  | PanelOf<"timeseries", TimeSeriesOptions, { readonly custom: GraphFieldConfig }>
  | PanelOf<"stat", StatOptions, unknown>;

/** A dashboard that uses only fields which Grafana's own package defines. */
export interface ProvisionedDashboard extends Omit<Dashboard, "panels" | "annotations"> {
  readonly uid: string;
  readonly title: string;
  readonly annotations: { readonly list: readonly PrometheusAnnotation[] };
  readonly panels: readonly (
    | ChartPanel
    | PanelOf<"text", TextOptions, unknown>
    | (Omit<RowPanel, "panels" | "gridPos"> & { readonly panels: readonly []; readonly gridPos: ChartPanel["gridPos"] })
  )[];
}

export const validateDashboard = typia.createValidateEquals<ProvisionedDashboard>();
