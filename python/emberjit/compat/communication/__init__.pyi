# Written by tools/stubs.py from the declarations.
from typing import Any

from emberjit.compat.communication import comm_func as comm_func
from emberjit.compat.communication.groups import GlobalComm as GlobalComm
from emberjit.compat.communication.groups import HCCL_WORLD_COMM_GROUP as HCCL_WORLD_COMM_GROUP
from emberjit.compat.communication.groups import MCCL_WORLD_COMM_GROUP as MCCL_WORLD_COMM_GROUP
from emberjit.compat.communication.groups import NCCL_WORLD_COMM_GROUP as NCCL_WORLD_COMM_GROUP
from emberjit.compat.communication.groups import create_group as create_group
from emberjit.compat.communication.groups import destroy_group as destroy_group
from emberjit.compat.communication.groups import get_comm_name as get_comm_name
from emberjit.compat.communication.groups import get_group_rank_from_world_rank as get_group_rank_from_world_rank
from emberjit.compat.communication.groups import get_group_size as get_group_size
from emberjit.compat.communication.groups import get_local_rank as get_local_rank
from emberjit.compat.communication.groups import get_local_rank_size as get_local_rank_size
from emberjit.compat.communication.groups import get_process_group_ranks as get_process_group_ranks
from emberjit.compat.communication.groups import get_rank as get_rank
from emberjit.compat.communication.groups import get_world_rank_from_group_rank as get_world_rank_from_group_rank
from emberjit.compat.communication.groups import init as init
from emberjit.compat.communication.groups import release as release

def __getattr__(name: str) -> Any: ...
