"""The paper's evaluation repeated: its data sets, rivals, tables and figures, with its numbers beside ours."""
